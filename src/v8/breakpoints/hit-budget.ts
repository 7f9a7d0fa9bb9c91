import { SafeMap } from '../../base/safe-map.js';
/** How much of a thread's time breakpoints may take. */
export interface HitLimits {
  /** The part of the time, from 0 to 1. */
  readonly share: number;
  /** Milliseconds that they may take at once, before `share` matters. */
  readonly burst: number;
}

/**
 * What V8 takes for a hit, in milliseconds: it compiles a condition each time. It cannot be measured from inside of the
 * condition.
 */
export const EVALUATION = 0.125;

/**
 * Keeps breakpoints from stalling the program: bounds the part of a thread's time that they take. What a hit took flows into a
 * bucket, which empties with the time; when it overflows, the one that has filled it most loses its breakpoints. The kernel has
 * no such limit, because its breakpoints take a microsecond.
 */
export class HitBudget {
  readonly #clock: () => number;
  readonly #limits: HitLimits;
  /** Milliseconds, by what was hit, since the bucket was last empty. */
  readonly #spent = new SafeMap<number, number>();
  #level = 0;
  #last = Number.NEGATIVE_INFINITY;

  /** @param clock milliseconds */
  constructor(clock: () => number, limits: HitLimits) {
    this.#clock = clock;
    this.#limits = limits;
  }

  /**
   * A hit of `n` is over.
   * @param took milliseconds of fentry and of handlers. One hit alone is never too much: it may have waited for a core.
   * @returns whose breakpoints must be removed, if they take too much
   */
  hit(n: number, took: number): number | undefined {
    const { share, burst } = this.#limits;
    const now = this.#clock();
    const cost = Math.min(took + EVALUATION, burst / 2);
    const ignored = took + EVALUATION - cost;
    this.#level -= (now - this.#last - ignored) * share;
    this.#last = now;
    if (!(this.#level > 0)) this.#empty();
    this.#level += cost;
    this.#spent.set(n, (this.#spent.get(n) ?? 0) + cost);
    return this.#level > burst ? this.#takeHottest() : undefined;
  }

  #empty(): void {
    this.#level = 0;
    this.#spent.clear();
  }

  #takeHottest(): number | undefined {
    let hottest: number | undefined;
    let most = 0;
    for (const [n, spent] of this.#spent) {
      if (spent <= most) continue;
      hottest = n;
      most = spent;
    }
    this.#empty();
    return hottest;
  }
}
