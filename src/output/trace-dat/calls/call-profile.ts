import type { FunctionTimes, ProfileAnswer } from '../../../answers/profile/profile-answer.js';
import { DurationHistogram } from '../../../base/duration-histogram.js';
import type { Call, CallVisitor, Leave, VisitedCall } from './call-visitor.js';
import type { CalledFunction } from './called-functions.js';
import type { IsShown } from './function-filter.js';

/** The sums over the calls of a function. Times in ns. */
class ProfileRow {
  readonly func: CalledFunction;
  readonly name: string;
  calls = 0;
  /** From call to return; recursion counts once. */
  total = 0;
  /** From call to return, without what coroutines waited. */
  running = 0;
  /** On the stack without callees. */
  self = 0;
  /** From each call to its return. */
  readonly times = new DurationHistogram();
  /** Sum of those. */
  timed = 0;
  /** By track: how many calls are open. */
  readonly open: number[] = [];
  /** The places of its calls, so that a call needs no object of its own. */
  readonly outermost: Place = { row: this, isOutermost: true };
  readonly inner: Place = { row: this, isOutermost: false };

  constructor(func: CalledFunction) {
    this.func = func;
    this.name = func.name;
  }
}
/** An open call's place: the row of its function, and whether the function was not open on the track already. */
interface Place {
  readonly row: ProfileRow;
  readonly isOutermost: boolean;
}

const averageOf = ({ timed, times }: ProfileRow): number => (times.count === 0 ? 0 : timed / times.count);

function sumOf(row: ProfileRow): FunctionTimes {
  const { func, calls, total, running, self, times } = row;
  return {
    name: func.symbol,
    ...(func.place && { place: func.place }),
    ...(func.module !== '' && { package: func.module }),
    isOwn: func.isOwn,
    calls,
    total,
    running,
    self,
    average: averageOf(row),
    p50: times.quantile(0.5),
    p99: times.quantile(0.99),
  };
}

/** The sort orders of the rows, largest first; names alphabetically. */
export const PROFILE_ORDERS = {
  total: (a, b) => b.total - a.total,
  self: (a, b) => b.self - a.self,
  calls: (a, b) => b.calls - a.calls,
  average: (a, b) => averageOf(b) - averageOf(a),
  p50: (a, b) => b.times.quantile(0.5) - a.times.quantile(0.5),
  p99: (a, b) => b.times.quantile(0.99) - a.times.quantile(0.99),
  name: (a, b) => (a.name < b.name ? -1 : 1),
} as const satisfies Record<string, (a: ProfileRow, b: ProfileRow) => number>;
export type ProfileOrder = keyof typeof PROFILE_ORDERS;

/** Functions that the words about unfinished calls name. */
const NAMED = 5;

/**
 * Adds up the calls of each function, as `uftrace report` shows them: total time from call to return, self time, calls. A
 * coroutine counts once, when it returns; its total time includes its waits, its self time does not.
 */
export class CallProfile implements CallVisitor<Place> {
  /** By the function's index. */
  readonly #rows: ProfileRow[] = [];
  /** Calls that are open where the recording ends. */
  readonly #unfinished = new Map<CalledFunction, number>();

  begin(call: Call): Place {
    const row = this.#row(call.func);
    const { index } = call.track;
    // A count: a reference to the call would keep it, and make each collection of garbage longer.
    const open = row.open[index] ?? 0;
    row.open[index] = open + 1;
    return open === 0 ? row.outermost : row.inner;
  }

  end({ place: { row, isOutermost }, track }: VisitedCall<Place>, { call, self, duration, isSuspended }: Leave): void {
    row.open[track.index]!--;
    row.self += self;
    if (isOutermost) row.running += duration;
    if (isSuspended) return;
    row.calls++;
    row.times.add(call);
    row.timed += call;
    if (isOutermost) row.total += call;
  }

  unfinished({ func, place, track }: VisitedCall<Place>, _end: number, isLast: boolean): void {
    place.row.open[track.index]!--;
    if (isLast) this.#unfinished.set(func, (this.#unfinished.get(func) ?? 0) + 1);
  }

  hit(func: CalledFunction): void {
    this.#row(func).calls++;
  }

  /**
   * The sums.
   * @param isShown which functions are among them; `time` is that of all
   */
  sums(order: ProfileOrder, isShown: IsShown = () => true): Pick<ProfileAnswer, 'time' | 'functions'> {
    const rows = this.#rows.filter((row) => row !== undefined);
    const shown = rows.filter(({ func, calls, self }) => (calls > 0 || self > 0) && isShown(func));
    return {
      time: rows.reduce((sum, { self }) => sum + self, 0),
      functions: shown.sort(PROFILE_ORDERS[order]).map(sumOf),
    };
  }

  /** What the table does not have, in words; none where it has all. */
  warnings(isShown: IsShown = () => true): readonly string[] {
    const open = [...this.#unfinished].filter(([func]) => isShown(func)).sort(([, a], [, b]) => b - a);
    if (open.length === 0) return [];
    const calls = open.reduce((sum, [, count]) => sum + count, 0);
    const names = open.slice(0, NAMED).map(([{ name }]) => name);
    return [
      `${calls === 1 ? '1 call was' : `${calls} calls were`} still open where the recording ends, and not counted: ` +
        `${names.join(', ')}${open.length > NAMED ? ', ...' : ''}`,
    ];
  }

  #row(func: CalledFunction): ProfileRow {
    const known = this.#rows[func.index];
    if (known !== undefined) return known;
    const row = new ProfileRow(func);
    this.#rows[func.index] = row;
    return row;
  }
}
