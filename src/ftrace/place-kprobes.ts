import type { Kprobe, KprobeOptions, KprobeRegs } from './kprobe.js';
import type { FoundKprobe, KprobePlanner } from './kprobe-planner.js';
import type { ProbeHost, ProgramProbe } from './program-probe.js';

/** A kprobe in the middle of a function. */
export interface PlaceMember {
  readonly probe: ProgramProbe & Kprobe;
  readonly kprobe: KprobeOptions;
}

const NOTHING: readonly unknown[] = [];
const THIS = 'this';

/** What a probe gets: the variables that it names. */
function regsOf(all: Readonly<Record<string, unknown>>, { variables: names = [] }: KprobeOptions): KprobeRegs {
  const variables = Object.fromEntries(names.flatMap((name) => (name in all ? [[name, all[name]]] : [])));
  return { self: all[THIS], arguments: NOTHING, returnValue: undefined, unwound: false, variables };
}

/** The kprobes at one place in the middle of a function: they share a breakpoint, and the newest is called first. */
export class PlaceKprobes implements ProbeHost {
  readonly #found: FoundKprobe;
  readonly #planner: KprobePlanner;
  /** The newest first. */
  #members: readonly PlaceMember[] = [];
  #names: readonly string[] = [];
  #remove: (() => void) | undefined;
  #isHalted = false;

  constructor(found: FoundKprobe, planner: KprobePlanner) {
    this.#found = found;
    this.#planner = planner;
  }

  join(member: PlaceMember): Promise<void> {
    this.#members = [member, ...this.#members];
    return member.probe.joined(this);
  }

  leave(probe: ProgramProbe): void {
    this.#members = this.#members.filter((member) => member.probe !== probe);
  }

  /** While they are halted (kprobes/enabled) there is no breakpoint. */
  halt(isHalted: boolean): void {
    this.#isHalted = isHalted;
    this.arrange().catch(() => {});
  }

  async arrange(): Promise<void> {
    const enabled = this.#members.filter(({ probe }) => probe.isEnabled);
    const names = [...new Set(enabled.flatMap(({ kprobe }) => [THIS, ...(kprobe.variables ?? [])]))];
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
      missed: () => this.#missed(),
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
    for (const { probe, kprobe } of this.#members) {
      if (probe.isEnabled && probe.call(() => kprobe.preHandler?.(probe, regsOf(all, kprobe)))) return;
    }
  }

  #missed(): void {
    for (const { probe } of this.#members) if (probe.isEnabled) probe.missed++;
  }

  /** It was hit too often, or V8 has no such place in a text that came later. */
  #ended(): void {
    this.#remove = undefined;
    this.#missed();
    for (const { probe } of [...this.#members]) probe.end().catch(() => {});
  }
}
