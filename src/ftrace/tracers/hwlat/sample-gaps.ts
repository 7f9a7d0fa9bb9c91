/** What a spinning sampler found; in whole microseconds, as in the kernel. */
export interface GapSample {
  /** The longest gap between the two readings of a round. */
  readonly inner: number;
  /** The longest gap between rounds. */
  readonly outer: number;
  /** Rounds with a gap above the threshold. */
  readonly count: number;
  /** Wall time of the first of them, in nanoseconds since 1970. */
  readonly firstAt: number;
  /** When sampling began and ended, in nanoseconds of the trace clock. */
  readonly start: number;
  readonly end: number;
}

const US = 1000;
const micros = (ns: number): number => Math.floor(ns / US);

/** The allocation of the last round: a program allocates, so the pauses of the garbage collector must be among the gaps. */
const lastRound = { of: [0, 0] };

/**
 * Reads the clock again and again for `widthUs` (get_sample), and looks for time between two readings in which this thread
 * cannot have run.
 * @param clock nanoseconds of the trace clock
 * @param wallOffset the difference between that clock and the time since 1970
 * @returns undefined if no gap was longer than the threshold
 */
export function sampleGaps(clock: () => number, wallOffset: number, widthUs: number, thresholdUs: number): GapSample | undefined {
  const start = clock();
  let inner = 0;
  let outer = 0;
  let count = 0;
  let firstAt = 0;
  let last = 0;
  let second = start;
  while (micros(second - start) <= widthUs) {
    const first = clock();
    second = clock();
    const outside = last === 0 ? 0 : micros(first - last);
    const inside = micros(second - first);
    last = second;
    lastRound.of = [first, second];
    if (outside > outer) outer = outside;
    if (inside > inner) inner = inside;
    if (inside <= thresholdUs && outside <= thresholdUs) continue;
    if (count === 0) firstAt = second + wallOffset;
    count++;
  }
  return count === 0 ? undefined : { inner, outer, count, firstAt, start, end: second };
}
