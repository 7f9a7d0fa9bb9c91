import { TraceError } from '../base/errno.js';
import { type OptionName, traceOption } from './options.js';

/** A word of trace_options: `name` turns an option on, `noname` off. Undefined if there is no such option. */
export function parseOptionWord(word: string): { readonly name: OptionName; readonly on: boolean } | undefined {
  const option = traceOption(word);
  if (option !== undefined) return { name: option.name, on: true };
  const negated = word.startsWith('no') ? traceOption(word.slice(2)) : undefined;
  return negated && { name: negated.name, on: false };
}

/**
 * What to write to which file in options/ for a word: they are there for the options of every tracer, current or not.
 * @throws TraceError EINVAL if there is no such option
 */
export function optionWrite(word: string): { readonly path: string; readonly text: '0' | '1' } {
  const parsed = parseOptionWord(word);
  if (parsed === undefined) throw new TraceError('EINVAL', `there is no trace option ${word}`);
  return { path: `options/${parsed.name}`, text: parsed.on ? '1' : '0' };
}
