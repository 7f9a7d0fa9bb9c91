import { type CallRow, NONE } from './call-row.js';

/** A call of a track: its row, and its place in the row. */
export interface RowCall {
  readonly depth: number;
  readonly index: number;
}

/** The nearest call around another one; where the caller was lost, the one that runs meanwhile. Undefined at the bottom. */
export function callAround(rows: readonly CallRow[], depth: number, index: number): RowCall | undefined {
  const row = rows[depth]!;
  const caller = row.callers[index]!;
  if (caller !== NONE) return { depth: depth - 1, index: caller };
  const end = row.end(index);
  for (let below = depth - 1; below >= 0; below--) {
    const at = rows[below]!.at(row.starts[index]!);
    if (at !== NONE && rows[below]!.end(at) >= end) return { depth: below, index: at };
  }
  return undefined;
}
