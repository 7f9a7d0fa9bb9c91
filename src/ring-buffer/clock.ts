import { Float64Array_, MathFloor as floor } from '../base/primordials.js';

/**
 * CLOCK_MONOTONIC in nanoseconds as Node reads it: an integer (from 2^53 on, after 104 days, an even one). It is the cheapest
 * read that Node has (`bench/ring-buffer.mjs` compares); the functions are saved before the program runs, because test
 * frameworks replace them with fake timers.
 */
export const monotonicClock: () => number = Number.parseInt(process.versions.node, 10) >= 26 ? fromPerformance() : hrtimeClock();

/** Up to Node 24, optimized code does not allocate the array that hrtime() returns: 32 ns for a read. */
export function hrtimeClock(): () => number {
  const { hrtime } = process;
  return () => {
    const now = hrtime();
    return now[0] * 1e9 + now[1];
  };
}

/** Node 26 allocates that array, 48 bytes for each read; there, performance.now() takes no more time and allocates less. */
function fromPerformance(): () => number {
  const { performance } = globalThis;
  const now = performance.now.bind(performance);
  const offset = calibrate(hrtimeClock(), () => now() * 1e6);
  return () => floor(now() * 1e6 + offset);
}

/** The difference `to` - `from`, from the pair of readings that were closest together. */
function calibrate(to: () => number, from: () => number): number {
  let best = { offset: 0, gap: Infinity };
  for (let i = 0; i < 64; i++) {
    const before = to();
    const between = from();
    const after = to();
    if (after - before < best.gap) best = { offset: (before + after) / 2 - between, gap: after - before };
  }
  return best.offset;
}

/** What reads the processor's cycle counter on this thread, and how its counts become CLOCK_MONOTONIC. */
export interface CycleCounter {
  /** The counter, or a number below 0 when it can no longer be read. */
  readonly read: () => number;
  /**
   * Called for a count that the conversion is not for, after it was read: makes `conversion` one for the counts from now on.
   * @returns the present time
   */
  readonly renew: () => number;
}

/**
 * The conversion of this thread: for `SPAN` counts from `BASE` on, the time is (count - BASE) * RATE + OFFSET. Numbers of an
 * array, so that the compiler reads them without a check of what they are.
 */
export const conversion = new Float64Array_(4);
export const BASE = 0;
export const SPAN = 1;
export const RATE = 2;
export const OFFSET = 3;

let readCycles: CycleCounter['read'] | undefined;
let renew: CycleCounter['renew'] = monotonicClock;

/**
 * The clock that events are stamped with: CLOCK_MONOTONIC in nanoseconds, an integer, the same in every thread and process of the
 * machine. Where the thread has a cycle counter, it is that (10 ns for a read), else `monotonicClock`.
 */
export function traceClock(): number {
  const read = readCycles;
  if (read === undefined) return monotonicClock();
  const since = read() - conversion[BASE]!;
  return since >= 0 && since < conversion[SPAN]! ? floor(since * conversion[RATE]! + conversion[OFFSET]!) : renew();
}

/** Has `traceClock` read a cycle counter from now on; undefined: no longer. */
export function setCycleCounter(counter: CycleCounter | undefined): void {
  readCycles = counter?.read;
  renew = counter?.renew ?? monotonicClock;
}
