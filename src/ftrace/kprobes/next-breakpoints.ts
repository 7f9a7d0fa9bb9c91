import type { FoundKprobe, KprobePlanner, NextPlace } from './kprobe-planner.js';
import { readValues, THIS } from './place-members.js';
import type { StatementEnds } from './statement-ends.js';

/** To set a breakpoint and to remove it takes V8 as long as so many hits. */
const MOST_WASTED = 4;

/**
 * The breakpoints where V8 stops next when the statement of a probe is over. They go when they were hit too often for nothing,
 * and come back when a call waits.
 */
export class NextBreakpoints {
  readonly #found: FoundKprobe;
  readonly #planner: KprobePlanner;
  readonly #ends: StatementEnds;
  readonly #failed: () => void;
  #places: readonly NextPlace[] = [];
  #names: readonly string[] = [];
  #removes: (() => void)[] = [];
  #wasted = 0;

  /** @param failed there can be none of them any more */
  constructor(found: FoundKprobe, planner: KprobePlanner, ends: StatementEnds, failed: () => void) {
    this.#found = found;
    this.#planner = planner;
    this.#ends = ends;
    this.#failed = failed;
  }

  /** @param names of variables, which post handlers get @throws TraceError if V8 has no such place, or there are too many */
  set(places: readonly NextPlace[], names: readonly string[]): void {
    const isSame = places === this.#places && names.join() === this.#names.join();
    if (isSame && this.#removes.length > 0) return;
    this.remove();
    this.#places = places;
    this.#names = [...new Set([THIS, ...names])];
    this.#begin();
  }

  /** A call waits for the end of the statement. */
  again(): void {
    if (this.#removes.length > 0) return;
    try {
      this.#begin();
    } catch {
      this.#failed();
    }
  }

  remove(): void {
    for (const remove of this.#removes.splice(0)) remove();
  }

  #begin(): void {
    this.#wasted = 0;
    const { address, kind, n } = this.#found;
    for (const { offset, outcome, isCatch } of this.#places) {
      const remove = this.#planner.breakpoint({
        ...{ n, address, kind, offset, variables: this.#names, isNext: true, ...(isCatch && { isCatch }) },
        hit: (values) => this.#hit(outcome, values),
        missed() {},
        ended: () => this.#failed(),
      });
      this.#removes.push(remove);
    }
  }

  #hit(outcome: NextPlace['outcome'], values: readonly (() => unknown)[]): void {
    if (this.#ends.isWaiting) {
      this.#wasted = 0;
      this.#ends.next(outcome, readValues(this.#names, values));
      return;
    }
    this.#wasted++;
    if (this.#wasted >= MOST_WASTED && !this.#ends.isAnyWaiting) this.remove();
  }
}
