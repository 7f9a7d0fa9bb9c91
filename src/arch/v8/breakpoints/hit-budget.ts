/** Milliseconds after which hits are counted again from 0. */
const WINDOW = 100;

/**
 * Keeps breakpoints from stalling the program: a hit takes some 50 microseconds. If there are too many hits in a tenth of a
 * second, the function with the most of them loses its breakpoints.
 */
export class HitBudget {
  readonly #clock: () => number;
  readonly #most: number;
  readonly #hits = new Map<number, number>();
  #total = 0;
  #began = Number.NEGATIVE_INFINITY;

  /**
   * @param clock milliseconds
   * @param perSecond how many hits all breakpoints of a thread may have together
   */
  constructor(clock: () => number, perSecond: number) {
    this.#clock = clock;
    this.#most = Math.max(1, (perSecond * WINDOW) / 1000);
  }

  /** Counts a hit. Returns the function whose breakpoints must be removed, if there are too many hits. */
  hit(n: number): number | undefined {
    const now = this.#clock();
    if (now - this.#began >= WINDOW) this.#begin(now);
    this.#hits.set(n, (this.#hits.get(n) ?? 0) + 1);
    if (++this.#total <= this.#most) return undefined;
    let hottest = n;
    for (const [one, hits] of this.#hits) if (hits > this.#hits.get(hottest)!) hottest = one;
    this.#begin(now);
    return hottest;
  }

  #begin(now: number): void {
    this.#hits.clear();
    this.#total = 0;
    this.#began = now;
  }
}
