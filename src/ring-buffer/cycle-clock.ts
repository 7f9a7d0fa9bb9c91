import {
  AtomicsAdd as add,
  AtomicsCompareExchange as compareExchange,
  Float64Array_,
  Int32Array_,
  AtomicsLoad as load,
} from '../base/primordials.js';
import { BASE, conversion, hrtimeClock, monotonicClock, OFFSET, RATE, SPAN, setCycleCounter, traceClock } from './clock.js';

/*
 * How counts of a cycle counter become CLOCK_MONOTONIC. All threads of a process use the same conversion for a count, so the
 * order of their times is that of their counts. After SPAN counts the thread that reads the clock makes the next one: it begins
 * where the one before ended, or later, so no time is before one that was given already; and it has the rate of the last second,
 * so it follows a clock that is slewed.
 *
 * The memory has the number of the conversion in use, how many were made, and the last ones. Two threads may make one at once:
 * the first to set CURRENT wins, and the other takes that. No thread waits for another, which may have been ended.
 */
const CURRENT = 0;
const MADE = 1;
const HEADER_BYTES = 8;
/** Conversions in the memory. */
const SLOTS = 64;

/** Behind the numbers of a conversion: its rate if it is not slowed. */
const TRUE_RATE = 4;
/** Two earlier counts and their times: the rate is measured from the older one. */
const OLD_COUNT = 5;
const OLD_NS = 6;
const NEW_COUNT = 7;
const NEW_NS = 8;
/** Which conversion it is; another one than CURRENT says if the slot was written over. */
const NUMBER = 9;
const SLOT_NUMBERS = 10;

/** Pairs of readings of both clocks at a time. */
const READINGS = 16;
/** Nanoseconds of a conversion: as many as its rate was measured in, between these. */
const SHORTEST_SPAN = 1e6;
const LONGEST_SPAN = 1e8;
/** The rate is measured in so many nanoseconds, or twice as many, once they have passed. */
const RATE_SPAN = 5e8;
/** CLOCK_MONOTONIC is slewed by 500 millionths at most: a rate that differs by more is that of another counter. */
const MOST_SLEW = 2e-3;
/** A conversion that ran ahead is slowed by this part at most, until the clock has caught up. */
const MOST_SLOWING = 0.1;
/** Nanoseconds after which the last conversion says nothing any more about the time. */
const MOST_PAUSE = 1e10;

/** Times are off by less, in nanoseconds, where the rate is known. */
const MOST_OFF = 1000;

/** A count, and the nanoseconds that CLOCK_MONOTONIC had then at least and at most. */
export interface ClockPair {
  readonly count: number;
  readonly low: number;
  readonly high: number;
}

/** Memory for the conversions of a process. */
export const createConversions = (): SharedArrayBuffer => new SharedArrayBuffer(HEADER_BYTES + SLOTS * SLOT_NUMBERS * 8);

const middle = ({ low, high }: ClockPair): number => (low + high) / 2;

/** Reads both clocks at one moment, as exactly as all of its readings allow. @param rate nanoseconds of a count */
export function readPair(read: () => number, monotonic: () => number, rate: number): ClockPair {
  const count = read();
  let low = -Infinity;
  let high = Infinity;
  for (let i = 0; i < READINGS; i++) {
    const before = read();
    const ns = monotonic();
    const after = read();
    const least = ns - (after - count) * rate;
    const most = ns - (before - count) * rate;
    if (least > low) low = least;
    if (most < high) high = most;
  }
  if (low <= high) return { count, low, high };
  // The processor reads the counter a little out of order.
  const between = (low + high) / 2;
  return { count, low: between, high: between };
}

/** Reads both clocks at one moment, while nobody knows the rate: of some readings, those that were closest together. */
export function readFirst(read: () => number, monotonic: () => number): CountedTime {
  let least = Infinity;
  let pair = { count: 0, ns: 0 };
  for (let i = 0; i < READINGS; i++) {
    const before = read();
    const ns = monotonic();
    const gap = read() - before;
    if (gap >= least) continue;
    least = gap;
    pair = { count: before + gap / 2, ns };
  }
  return pair;
}

/** The conversions of a process, as one of its threads makes and uses them. */
export class Conversions {
  readonly #words: Int32Array;
  readonly #slots: Float64Array;
  #read: () => number;
  readonly #monotonic: () => number;
  readonly #own: Float64Array;
  #lost: (() => void) | undefined;
  /** The last count that the clock gave. */
  #lastCount = 0;
  /** The slot of the conversion in use, as it was last copied. */
  readonly #last = new Float64Array_(SLOT_NUMBERS);

  /** @param own gets the conversion in use, for `traceClock` */
  constructor(memory: SharedArrayBuffer, read: () => number, monotonic = hrtimeClock(), own: Float64Array = conversion) {
    this.#words = new Int32Array_(memory, 0, 2);
    this.#slots = new Float64Array_(memory, HEADER_BYTES);
    this.#read = read;
    this.#monotonic = monotonic;
    this.#own = own;
  }

  /**
   * Reads the counter by another function from now on.
   * @param lost called once, as soon as that function returns a number below 0
   */
  readBy(read: () => number, lost: () => void): void {
    this.#read = read;
    this.#lost = lost;
  }

  /** Makes the first conversion: its rate is that since `first` was read. */
  begin(first: CountedTime): void {
    const second = readFirst(this.#read, this.#monotonic);
    const rate = (second.ns - first.ns) / (second.count - first.count);
    const pair = readPair(this.#read, this.#monotonic, rate);
    const now = { count: pair.count, ns: middle(pair) };
    this.#make(load(this.#words, CURRENT), { now, rate, end: now.ns, old: first, new: first });
  }

  /**
   * Has the conversion be the one for the counts from now on, and makes it if there is none yet.
   * @returns the present count, or a number below 0 if it cannot be read
   */
  renew(): number {
    const own = this.#own;
    for (;;) {
      const current = load(this.#words, CURRENT);
      const isWhole = this.#copy(current);
      if (load(this.#words, CURRENT) !== current) continue;
      const count = this.#read();
      if (!(count >= 0)) {
        this.#isLost();
        return count;
      }
      const since = count - own[BASE]!;
      if (isWhole && since >= 0 && since < own[SPAN]!) return count;
      this.#next(current, isWhole);
    }
  }

  /** The nanoseconds of a count, by the conversion in use. */
  timeOf(count: number): number {
    const own = this.#own;
    return Math.floor((count - own[BASE]!) * own[RATE]! + own[OFFSET]!);
  }

  /** The counter as a clock: what it would be, by the conversion in use, while it cannot be read. It never goes back. */
  readonly counts = (ns: number): number => {
    const count = this.#read();
    if (count >= 0) return this.#noEarlier(count);
    this.#isLost();
    return this.#noEarlier(this.countAt(ns));
  };

  #noEarlier(count: number): number {
    if (count > this.#lastCount) this.#lastCount = count;
    return this.#lastCount;
  }

  #isLost(): void {
    const lost = this.#lost;
    this.#lost = undefined;
    lost?.();
  }

  /** The count at a time, by the conversion in use. */
  countAt(ns: number): number {
    const own = this.#own;
    return Math.floor(own[BASE]! + (ns - own[OFFSET]!) / own[RATE]!);
  }

  /** Copies a conversion. Returns false if it has been written over. */
  #copy(number: number): boolean {
    const slot = slotOf(number);
    for (let i = 0; i < SLOT_NUMBERS; i++) this.#last[i] = this.#slots[slot + i]!;
    if (this.#last[NUMBER] !== number) return false;
    for (let i = 0; i < this.#own.length; i++) this.#own[i] = this.#last[i]!;
    return true;
  }

  /** Makes the conversion after the last one. */
  #next(current: number, isWhole: boolean): void {
    const last = this.#last;
    const before = last[TRUE_RATE]!;
    const end = last[SPAN]! * last[RATE]! + last[OFFSET]!;
    const pair = readPair(this.#read, this.#monotonic, before);
    const { count } = pair;
    const old = { count: last[OLD_COUNT]!, ns: last[OLD_NS]! };
    const latest = { count: last[NEW_COUNT]!, ns: last[NEW_NS]! };
    const past = (count - last[BASE]!) * last[RATE]!;
    const ns = within(pair, past + last[OFFSET]!);
    const rate = (ns - old.ns) / (count - old.count);
    const isFirst = old.count === latest.count;
    const isOff = !isFirst && !(Math.abs(rate / before - 1) <= MOST_SLEW);
    // After a pause the counter may have stood still, or begun anew.
    if (!isWhole || !(past >= 0 && past <= MOST_PAUSE) || isOff) {
      const now = { count, ns: middle(pair) };
      // The last conversion may be far from its end: no time was given that was not there yet.
      this.#make(current, { now, rate: before, end: Math.min(end, now.ns + MOST_OFF), old: now, new: now });
      return;
    }
    const isOver = ns - latest.ns >= RATE_SPAN;
    const now = { count, ns };
    this.#make(current, { now, rate, end, old: isOver ? latest : old, new: isOver ? now : latest });
  }

  /** @param next with the time at which the last conversion ends */
  #make(current: number, { now, rate, end, old, new: latest }: Next): void {
    const offset = now.ns > end ? now.ns : end;
    const span = Math.min(Math.max(now.ns - old.ns, SHORTEST_SPAN), LONGEST_SPAN);
    const slowed = rate * (1 - Math.min((offset - now.ns) / span, MOST_SLOWING));
    const number = (add(this.#words, MADE, 1) + 1) | 0;
    const slots = this.#slots;
    const slot = slotOf(number);
    slots[slot + BASE] = now.count;
    slots[slot + SPAN] = span / rate;
    slots[slot + RATE] = slowed;
    slots[slot + OFFSET] = offset;
    slots[slot + TRUE_RATE] = rate;
    slots[slot + OLD_COUNT] = old.count;
    slots[slot + OLD_NS] = old.ns;
    slots[slot + NEW_COUNT] = latest.count;
    slots[slot + NEW_NS] = latest.ns;
    slots[slot + NUMBER] = number;
    compareExchange(this.#words, CURRENT, current, number);
  }
}

/** A count, and CLOCK_MONOTONIC then in nanoseconds. */
export interface CountedTime {
  readonly count: number;
  readonly ns: number;
}

/** What a conversion is made from. */
interface Next {
  readonly now: CountedTime;
  readonly rate: number;
  readonly end: number;
  readonly old: CountedTime;
  readonly new: CountedTime;
}

const slotOf = (number: number): number => (number & (SLOTS - 1)) * SLOT_NUMBERS;

const within = ({ low, high }: ClockPair, ns: number): number => (ns < low ? low : ns > high ? high : ns);

/** Readings until then, at most: the machine may have stopped meanwhile. */
const MOST_READINGS = 1e5;

/** Reads a clock until it shows a time. */
function passes(clock: () => number, ns: number): number {
  for (let i = 0; i < MOST_READINGS; i++) {
    const now = clock();
    if (now >= ns) return now;
  }
  return ns;
}

/**
 * Has `traceClock` of this thread read the cycle counter from now on.
 * @param read returns the counter, or a number below 0 when it can no longer be read; then the clock is `monotonicClock`, until
 * this is called anew
 * @param conversions of this thread, renewed
 */
export function useCycleCounter(read: () => number, conversions: Conversions): void {
  const last = monotonicClock();
  setCycleCounter({
    read,
    renew() {
      const count = conversions.renew();
      if (count >= 0) return conversions.timeOf(count);
      setCycleCounter(undefined);
      return passes(monotonicClock, monotonicClock() + MOST_OFF);
    },
  });
  passes(traceClock, last);
}
