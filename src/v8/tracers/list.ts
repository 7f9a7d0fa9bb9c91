import type { ExitLists } from '../../ftrace/exit-lists.js';
import { type EntryFunction, IGNORED } from './entry.js';

/** An ops of a list. Its entry can change. */
export interface Callee {
  readonly entry: EntryFunction;
}

/** The list function (arch_ftrace_ops_list_func) of these ops: calls each of them, in this order. */
export function createListEntry(callees: readonly Callee[], exitLists: ExitLists): EntryFunction {
  const entry = (n: number, depth: number, self: unknown, args: readonly unknown[]): number => {
    let want = IGNORED;
    for (let i = 0; i < callees.length; i++) {
      const one = callees[i]!.entry(n, depth, self, args);
      if (one !== IGNORED) want = want === IGNORED ? one : exitLists.join(want, one);
    }
    return want;
  };
  return Object.assign(entry, {
    missed(n: number): void {
      for (let i = 0; i < callees.length; i++) callees[i]!.entry.missed?.(n);
    },
  });
}
