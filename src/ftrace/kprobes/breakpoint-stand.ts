import type { FoundKprobe, NextPlace } from './kprobe-planner.js';
import type { KprobeStand, StandContext } from './kprobe-stand.js';
import { NextBreakpoints } from './next-breakpoints.js';
import { readValues, THIS } from './place-members.js';

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
