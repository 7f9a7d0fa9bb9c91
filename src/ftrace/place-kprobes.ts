import type { FoundKprobe, KprobePlanner } from './kprobe-planner.js';
import { type PlaceMember, PlaceMembers, THIS } from './place-members.js';
import type { ProbeHost, ProgramProbe } from './program-probe.js';

/** The kprobes at one place in the middle of a function that share a breakpoint. */
export class PlaceKprobes implements ProbeHost {
  readonly #found: FoundKprobe;
  readonly #planner: KprobePlanner;
  readonly #members = new PlaceMembers();
  #names: readonly string[] = [];
  #remove: (() => void) | undefined;
  #isHalted = false;

  constructor(found: FoundKprobe, planner: KprobePlanner) {
    this.#found = found;
    this.#planner = planner;
  }

  join(member: PlaceMember): Promise<void> {
    this.#members.add(member);
    return member.probe.joined(this);
  }

  leave(probe: ProgramProbe): void {
    this.#members.remove(probe);
  }

  /** While they are halted (kprobes/enabled) there is no breakpoint. */
  halt(isHalted: boolean): void {
    this.#isHalted = isHalted;
    this.arrange().catch(() => {});
  }

  async arrange(): Promise<void> {
    const { enabled } = this.#members;
    const names = [...new Set(enabled.flatMap(({ variables }) => [THIS, ...variables]))];
    const isWanted = enabled.length > 0 && !this.#isHalted;
    if (isWanted && this.#remove !== undefined && names.every((name) => this.#names.includes(name))) return;
    this.#remove?.();
    this.#remove = undefined;
    this.#names = names;
    if (!isWanted) return;
    this.#remove = this.#planner.breakpoint({
      ...this.#found,
      variables: names,
      hit: (values) => this.#hit(values),
      missed: () => this.#members.missed(),
      ended: () => this.#ended(),
    });
  }

  #hit(values: readonly (() => unknown)[]): void {
    const all: Record<string, unknown> = Object.create(null);
    this.#names.forEach((name, i) => {
      try {
        all[name] = values[i]!();
      } catch {
        // It has no value here.
      }
    });
    this.#members.pre(all);
  }

  /** It was hit too often, or V8 has no such place in a text that came later. */
  #ended(): void {
    this.#remove = undefined;
    this.#members.end();
  }
}
