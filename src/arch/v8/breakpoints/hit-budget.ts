/** Milliseconds after which hits are counted anew. */
const WINDOW = 100;

/**
 * Keeps breakpoints from stalling the program: a hit takes some 50 microseconds. When all hits of a tenth of a second are more
 * than they may be, the function that had the most of them is out.
 */
export class HitBudget {
  readonly #clock: () => number;
  readonly #most: number;
  readonly #hits = new Map<number, number>();
  #total = 0;
  #began = Number.NEGATIVE_INFINITY;

  /**
   * @param clock milliseconds
   * @param perSecond hits that all breakpoints of a thread may have together
   */
  constructor(clock: () => number, perSecond: number) {
    this.#clock = clock;
    this.#most = Math.max(1, (perSecond * WINDOW) / 1000);
  }

  /** Counts a hit. The function whose breakpoints must go, if they have become too many. */
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
