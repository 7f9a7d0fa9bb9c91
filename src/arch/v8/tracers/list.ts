import type { ExitLists } from '../../../ftrace/exit-lists.js';
import { type EntryFunction, IGNORED } from './entry.js';

/** An ops of a list. Its entry can change. */
export interface Callee {
  readonly entry: EntryFunction;
}

/** The list function (arch_ftrace_ops_list_func) of these ops: calls each of them, in this order. */
export const createListEntry =
  (callees: readonly Callee[], exitLists: ExitLists): EntryFunction =>
  (n, depth, self, args) => {
    let want = IGNORED;
    for (let i = 0; i < callees.length; i++) {
      const one = callees[i]!.entry(n, depth, self, args);
      if (one !== IGNORED) want = want === IGNORED ? one : exitLists.join(want, one);
    }
    return want;
  };
