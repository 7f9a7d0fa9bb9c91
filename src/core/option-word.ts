import { TraceError } from '../base/errno.js';
import { traceOption } from './options.js';

/** What a word of trace_options asks for, as the file in options/ that does it for the options of every tracer. */
export function parseOptionWord(word: string): { readonly path: string; readonly value: '0' | '1' } {
  const isOff = word.startsWith('no') && traceOption(word) === undefined;
  const name = isOff ? word.slice(2) : word;
  if (traceOption(name) === undefined) throw new TraceError('EINVAL', `there is no trace option ${word}`);
  return { path: `options/${name}`, value: isOff ? '0' : '1' };
}
