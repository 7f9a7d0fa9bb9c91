import type { FoundKprobe, KprobePlanner, NextPlace } from './kprobe-planner.js';
import type { KprobeStand, StandContext } from './kprobe-stand.js';
import { readValues, THIS } from './place-members.js';
import type { StatementEnds } from './statement-ends.js';

/** To set a breakpoint and to remove it takes V8 as long as so many hits. */
const MOST_WASTED = 4;

/**
 * The breakpoints where V8 stops next when the statement of a probe is over. They go when they were hit too often for nothing,
 * and come back when a call waits.
 */
class NextBreakpoints {
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

/**
 * The breakpoint that calls the kprobes at one place. While one has a post handler there are more: where V8 stops next when the
 * statement is over.
 */
export class BreakpointStand implements KprobeStand {
  readonly #context: StandContext;
  readonly #next: NextBreakpoints;
  #places: readonly NextPlace[] = [];
  #names: readonly string[] = [];
  #remove: (() => void) | undefined;

  constructor(context: StandContext) {
    const { found, planner, ends } = context;
    this.#context = context;
    this.#next = new NextBreakpoints(found, planner, ends, () => this.#ended());
  }

  /** Takes the places behind the statement: without a post handler none were looked for. */
  joined({ next }: FoundKprobe): void {
    if (next !== undefined) this.#places = next.filter(({ offset }) => offset !== this.#context.found.offset);
  }

  endPost(): void {
    this.#next.remove();
  }

  resumed(): void {
    this.#next.again();
  }

  arm(): void {
    const { found, planner, members, hasPost } = this.#context;
    if (hasPost()) this.#next.set(this.#places, members.namesOf(members.enabledPost));
    const names = [...new Set([THIS, ...members.namesOf(members.enabled)])];
    if (this.#remove !== undefined && names.every((name) => this.#names.includes(name))) return;
    this.disarm();
    this.#names = names;
    this.#remove = planner.breakpoint({
      ...found,
      variables: names,
      hit: (values) => this.#hit(values),
      missed: () => members.missed(),
      ended: () => this.#ended(),
    });
  }

  disarm(): void {
    this.#remove?.();
    this.#remove = undefined;
  }

  #hit(values: readonly (() => unknown)[]): void {
    const { ends, members, hasPost } = this.#context;
    const all = readValues(this.#names, values);
    if (ends.isWaiting) ends.next('done', all);
    if (!members.pre(all) || !ends.isOn) return;
    ends.wait();
    if (hasPost()) this.#next.again();
  }

  /** Ends the kprobes: they were hit too often, or V8 has no such place in a text that came later. */
  #ended(): void {
    this.#remove = undefined;
    this.#context.members.end();
  }
}
