import { fullName } from '../../../answers/place-text.js';
import type { FunctionTimes, ProfileAnswer } from '../../../answers/profile/profile-answer.js';
import { doubled } from '../../../base/doubled.js';
import { DurationHistograms } from '../../../base/duration-histograms.js';
import type { Call, CallVisitor, Leave, VisitedCall } from './call-visitor.js';
import type { CalledFunction } from './called-functions.js';
import type { IsShown } from './function-filter.js';

/** What stands in `#sums` of a function. Times in ns. */
const CALLS = 0;
/** From call to return; recursion counts once. */
const TOTAL = 1;
/** From call to return, without what coroutines waited. */
const RUNNING = 2;
/** On the stack without callees. */
const SELF = 3;
/** From each call to its return. */
const TIMED = 4;
/** A line of the processor's cache. */
const SUMS = 8;
/** Functions that there is room for at first. */
const FUNCTIONS = 256;

/** The sort orders of the functions, largest first; names alphabetically. */
export const PROFILE_ORDERS = {
  total: (a, b) => b.total - a.total,
  self: (a, b) => b.self - a.self,
  calls: (a, b) => b.calls - a.calls,
  average: (a, b) => b.average - a.average,
  p50: (a, b) => b.p50 - a.p50,
  p99: (a, b) => b.p99 - a.p99,
  name: (a, b) => (fullName(a) < fullName(b) ? -1 : 1),
} as const satisfies Record<string, (a: FunctionTimes, b: FunctionTimes) => number>;
export type ProfileOrder = keyof typeof PROFILE_ORDERS;

/** Functions that the words about unfinished calls name. */
const NAMED = 5;

/**
 * Adds up the calls of each function, as `uftrace report` shows them: total time from call to return, self time, calls. A
 * coroutine counts once, when it returns; its total time includes its waits, its self time does not.
 */
export class CallProfile implements CallVisitor<number> {
  /** By the function's index, like all of these. An object of each function would be looked for in the memory at each call. */
  readonly #functions: (CalledFunction | undefined)[] = [];
  #sums = new Float64Array(FUNCTIONS * SUMS);
  readonly #times = new DurationHistograms();
  /** By the track's index: a bit of each function that is open. */
  readonly #open: (Int32Array<ArrayBuffer> | undefined)[] = [];
  /** Calls that are open where the recording ends. */
  readonly #unfinished = new Map<CalledFunction, number>();

  /** Returns twice the function's index, and 1 more if the function is not open on the track already. */
  begin({ func, funcIndex: index, track }: Call): number {
    this.#meet(func, index);
    const word = index >> 5;
    let open = this.#open[track.index];
    if (open === undefined || word >= open.length) open = this.#moreOpen(track.index, word);
    const bit = 1 << (index & 31);
    if ((open[word]! & bit) !== 0) return index << 1;
    open[word]! |= bit;
    return (index << 1) | 1;
  }

  end({ place, track }: VisitedCall<number>, { call, self, duration, isSuspended }: Leave): void {
    const isOutermost = (place & 1) !== 0;
    const index = place >> 1;
    if (isOutermost) this.#close(track.index, index);
    const sums = this.#sums;
    const at = index * SUMS;
    sums[at + SELF]! += self;
    if (isOutermost) sums[at + RUNNING]! += duration;
    if (isSuspended) return;
    sums[at + CALLS]!++;
    sums[at + TIMED]! += call;
    if (isOutermost) sums[at + TOTAL]! += call;
    this.#times.add(index, call);
  }

  unfinished({ func, place, track }: VisitedCall<number>, _end: number, isLast: boolean): void {
    if ((place & 1) !== 0) this.#close(track.index, place >> 1);
    if (isLast) this.#unfinished.set(func, (this.#unfinished.get(func) ?? 0) + 1);
  }

  hit(func: CalledFunction): void {
    const { index } = func;
    this.#meet(func, index);
    this.#sums[index * SUMS + CALLS]!++;
  }

  /**
   * The sums.
   * @param isShown which functions are among them; `time` is that of all
   */
  sums(order: ProfileOrder, isShown: IsShown = () => true): Pick<ProfileAnswer, 'time' | 'functions'> {
    const functions = this.#functions.filter((func) => func !== undefined);
    const shown = functions.filter((func) => {
      const at = func.index * SUMS;
      return (this.#sums[at + CALLS]! > 0 || this.#sums[at + SELF]! > 0) && isShown(func);
    });
    return {
      time: functions.reduce((sum, { index }) => sum + this.#sums[index * SUMS + SELF]!, 0),
      functions: shown.map((func) => this.#sumOf(func)).sort(PROFILE_ORDERS[order]),
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

  #sumOf({ index, symbol: name, place, module, isOwn }: CalledFunction): FunctionTimes {
    const at = index * SUMS;
    const times = this.#times.of(index);
    return {
      name,
      ...(place && { place }),
      ...(module !== '' && { package: module }),
      isOwn,
      calls: this.#sums[at + CALLS]!,
      total: this.#sums[at + TOTAL]!,
      running: this.#sums[at + RUNNING]!,
      self: this.#sums[at + SELF]!,
      average: times.count === 0 ? 0 : this.#sums[at + TIMED]! / times.count,
      p50: times.quantile(0.5),
      p99: times.quantile(0.99),
    };
  }

  #meet(func: CalledFunction, index: number): void {
    if (index < this.#functions.length && this.#functions[index] !== undefined) return;
    this.#functions[index] = func;
    while (index * SUMS >= this.#sums.length) this.#sums = doubled(this.#sums);
  }

  #moreOpen(track: number, word: number): Int32Array<ArrayBuffer> {
    const open = new Int32Array(2 * (word + 1));
    const before = this.#open[track];
    if (before !== undefined) open.set(before);
    this.#open[track] = open;
    return open;
  }

  #close(track: number, index: number): void {
    this.#open[track]![index >> 5]! &= ~(1 << (index & 31));
  }
}
