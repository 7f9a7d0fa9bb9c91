import type { Call, CallVisitor, Frame, Leave } from './call-visitor.js';
import type { CalledFunction } from './called-functions.js';
import { unitTime } from './unit-time.js';

/** What the calls of a function come to. */
interface ProfileRow {
  readonly name: string;
  calls: number;
  /** ns from calls to returns, that of recursion counted once. */
  total: number;
  /** ns on the stack without callees. */
  self: number;
  /** By track: the outermost call that was open there last. */
  readonly outermost: (Call | undefined)[];
}
/** Its function's row, and whether the function was not open on the track already. */
interface Place {
  readonly row: ProfileRow;
  readonly isOutermost: boolean;
}

/** By what the rows are sorted, largest first; names by the alphabet. */
export const PROFILE_ORDERS = {
  total: (a, b) => b.total - a.total,
  self: (a, b) => b.self - a.self,
  calls: (a, b) => b.calls - a.calls,
  name: (a, b) => (a.name < b.name ? -1 : 1),
} as const satisfies Record<string, (a: ProfileRow, b: ProfileRow) => number>;
export type ProfileOrder = keyof typeof PROFILE_ORDERS;

const HEADER =
  '  Total time     Self time         Calls  Function\n' + '  ============  ============  ==========  ====================\n';
const TIME_WIDTH = 12;
const CALLS_WIDTH = 10;

/**
 * Adds up the calls of each function, as `uftrace report` shows them: total time from calls to returns, own time, calls.
 * A coroutine counts once, when it returns; its total holds what it waited, its own time does not.
 */
export class CallProfile implements CallVisitor<Place> {
  readonly #rows = new Map<CalledFunction, ProfileRow>();

  begin(call: Call): Place {
    const row = this.#row(call.func);
    const { index } = call.track;
    const isOutermost = row.outermost[index]?.isOpen !== true;
    if (isOutermost) row.outermost[index] = call;
    return { row, isOutermost };
  }

  end({ place: { row, isOutermost } }: Frame<Place>, { call, self, isSuspended }: Leave): void {
    row.self += self;
    if (isSuspended) return;
    row.calls++;
    if (isOutermost) row.total += call;
  }

  hit(func: CalledFunction): void {
    this.#row(func).calls++;
  }

  /** The table, line by line. */
  *lines(order: ProfileOrder): Generator<string> {
    yield HEADER;
    const rows = [...this.#rows.values()].filter(({ calls, self }) => calls > 0 || self > 0);
    for (const { total, self, calls, name } of rows.sort(PROFILE_ORDERS[order])) {
      const times = [total, self].map((ns) => unitTime(ns).padStart(TIME_WIDTH)).join('  ');
      yield `  ${times}  ${String(calls).padStart(CALLS_WIDTH)}  ${name}\n`;
    }
  }

  #row(func: CalledFunction): ProfileRow {
    let row = this.#rows.get(func);
    if (row === undefined) {
      row = { name: func.name, calls: 0, total: 0, self: 0, outermost: [] };
      this.#rows.set(func, row);
    }
    return row;
  }
}
