import type { FunctionChange } from './diff-answer.js';

/**
 * The functions that made the second recording slower: their calls take longer by their own doing, by more than a part of the
 * time that they took before. The application's own are first, then those with the largest change.
 * @param over the part: 0.1 for a tenth
 */
export function slowedFunctions(functions: readonly FunctionChange[], over = 0): readonly FunctionChange[] {
  return functions
    .filter(({ verdict, cause, call }) => verdict === 'slower' && cause !== 'callees' && (call?.ratio ?? 1) > 1 + over)
    .sort((a, b) => Number(b.isOwn) - Number(a.isOwn) || b.change - a.change);
}
