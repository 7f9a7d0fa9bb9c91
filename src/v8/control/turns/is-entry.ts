import type { SampledFrame } from '../../shared/turn-sample.js';

/** What can stand before a function's name, or before its parameters if it has none. */
const HEADS = ['function ', 'function* ', 'function *', 'function*', 'function'].flatMap((head) => [head, `async ${head}`]);

/**
 * Whether a function was about to be entered: nothing of it had run. V8 says then that it is at its parameters; a function with
 * the word `function` begins there.
 */
export function isEntry({ name, line, column, fromLine, fromColumn }: SampledFrame): boolean {
  if (fromLine === 0 || line !== fromLine) return false;
  const length = column - fromColumn;
  const own = name.slice(name.lastIndexOf('.') + 1);
  return length === 0 || HEADS.some((head) => length === head.length + own.length || length === head.length);
}
