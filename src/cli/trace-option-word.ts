import { parseOptionWord } from '../ftrace/option-word.js';
import { TRACE_OPTIONS } from '../ftrace/options.js';
import { didYouMean } from './nearest.js';
import { UsageError } from './verb.js';

/** What the word of an -O means. UsageError, with the option that may have been meant, when there is no such trace option. */
export function traceOptionWord(word: string): NonNullable<ReturnType<typeof parseOptionWord>> {
  const parsed = parseOptionWord(word);
  if (parsed !== undefined) return parsed;
  const prefix = word.startsWith('no') ? 'no' : '';
  const known = TRACE_OPTIONS.map(({ name }) => `${prefix}${name}`);
  throw new UsageError(`-O ${word}: there is no such trace option${didYouMean(word, known)}`);
}
