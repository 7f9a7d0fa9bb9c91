/** Reads of a clock in a row. */
const READS = 400;
/** Rounds, and milliseconds in which V8 must have made code of the loops. */
const ROUNDS = 60;
const BUDGET = 6;
/** The counter is chosen if it takes so much less than the clock that Node has. */
const LEAST_GAIN = 0.2;

/** Sums, so that the reads are not left out. One loop for each clock: V8 makes code for one callee. */
function readCounter(read: () => number): number {
  let sum = 0;
  for (let i = 0; i < READS; i++) sum += Math.floor((read() - 1) * 0.5 + 2);
  return sum;
}

function readMonotonic(monotonic: () => number): number {
  let sum = 0;
  for (let i = 0; i < READS; i++) sum += monotonic();
  return sum;
}

/** Why a counter that is read in so many nanoseconds is not read in place of a clock, in words; undefined: it is. */
export const noGain = (counter: number, monotonic: number): string | undefined =>
  counter <= monotonic * (1 - LEAST_GAIN)
    ? undefined
    : `a read of the processor's counter takes ${counter.toFixed(0)} ns, and one of Node's clock ${monotonic.toFixed(0)} ns`;

/**
 * Why reading the counter is not worth its while, in words; undefined: it is. Takes some milliseconds.
 * @param read reads the counter
 * @param monotonic the clock that would be read instead, in nanoseconds
 */
export function whyNoGain(read: () => number, monotonic: () => number): string | undefined {
  const least = { counter: Infinity, monotonic: Infinity };
  const end = monotonic() + BUDGET * 1e6;
  for (let round = 0; round < ROUNDS && monotonic() < end; round++) {
    const begun = monotonic();
    readCounter(read);
    const between = monotonic();
    readMonotonic(monotonic);
    least.counter = Math.min(least.counter, between - begun);
    least.monotonic = Math.min(least.monotonic, monotonic() - between);
  }
  return noGain(least.counter / READS, least.monotonic / READS);
}
