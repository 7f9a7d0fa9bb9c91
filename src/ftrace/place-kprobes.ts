import type { FoundKprobe, KprobePlanner, NextPlace } from './kprobe-planner.js';
import { MiddleKprobes } from './middle-kprobes.js';
import { NextBreakpoints } from './next-breakpoints.js';
import { type PlaceMember, readValues, THIS } from './place-members.js';

/**
 * The kprobes at one place in the middle of a function that share a breakpoint. While one has a post handler there are more:
 * where V8 stops next when the statement is over.
 */
export class PlaceKprobes extends MiddleKprobes {
  readonly #found: FoundKprobe;
  readonly #planner: KprobePlanner;
  readonly #next: NextBreakpoints;
  #places: readonly NextPlace[] = [];
  #names: readonly string[] = [];
  #remove: (() => void) | undefined;

  /** @param id an ops id */
  constructor(id: number, found: FoundKprobe, planner: KprobePlanner) {
    super(id, found, planner);
    this.#found = found;
    this.#planner = planner;
    this.#next = new NextBreakpoints(found, planner, this.ends, () => this.#ended());
  }

  /** @param next what was found for this one: undefined without a post handler */
  joinAt(member: PlaceMember, next: readonly NextPlace[] | undefined): Promise<void> {
    if (next !== undefined) this.#places = next.filter(({ offset }) => offset !== this.#found.offset);
    return this.join(member);
  }

  override arrange(): Promise<void> {
    if (!this.hasPost) this.#next.remove();
    return super.arrange();
  }

  protected override resumed(): void {
    this.#next.again();
  }

  protected arm(): void {
    if (this.hasPost) this.#next.set(this.#places, this.members.namesOf(this.members.enabledPost));
    const names = [...new Set([THIS, ...this.members.namesOf(this.members.enabled)])];
    if (this.#remove !== undefined && names.every((name) => this.#names.includes(name))) return;
    this.disarm();
    this.#names = names;
    this.#remove = this.#planner.breakpoint({
      ...this.#found,
      variables: names,
      hit: (values) => this.#hit(values),
      missed: () => this.members.missed(),
      ended: () => this.#ended(),
    });
  }

  protected disarm(): void {
    this.#remove?.();
    this.#remove = undefined;
  }

  #hit(values: readonly (() => unknown)[]): void {
    const all = readValues(this.#names, values);
    if (this.ends.isWaiting) this.ends.next('done', all);
    if (!this.members.pre(all) || !this.ends.isOn) return;
    this.ends.wait();
    if (this.hasPost) this.#next.again();
  }

  /** Ends the kprobes: they were hit too often, or V8 has no such place in a text that came later. */
  #ended(): void {
    this.#remove = undefined;
    this.members.end();
  }
}
