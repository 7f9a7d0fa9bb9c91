import type { KprobeRegs } from './kprobe.js';
import type { KprobeMember, ProgramProbe } from './program-probe.js';

/** What reads the values of names at a place: a name without a value is left out. */
export type NamedValues = Readonly<Record<string, unknown>>;

export const THIS = 'this';

const NOTHING: readonly unknown[] = [];

/** What a probe gets: the variables that it names. */
export function regsAt(all: NamedValues, names: readonly string[], returnValue?: unknown): KprobeRegs {
  const variables = Object.fromEntries(names.flatMap((name) => (name in all ? [[name, all[name]]] : [])));
  return { self: all[THIS], arguments: NOTHING, returnValue, unwound: false, variables };
}

/** What a breakpoint gives for these names. @param values one for each name: returns it, or throws if it has none */
export function readValues(names: readonly string[], values: readonly (() => unknown)[]): NamedValues {
  const all: Record<string, unknown> = Object.create(null);
  names.forEach((name, i) => {
    try {
      all[name] = values[i]!();
    } catch {
      // It has no value here.
    }
  });
  return all;
}

/** The kprobes at one place in the middle of a function: the newest is called first. */
export class PlaceMembers {
  /** The newest first. */
  #all: readonly KprobeMember[] = [];

  add(member: KprobeMember): void {
    this.#all = [member, ...this.#all];
  }

  remove(probe: ProgramProbe): void {
    this.#all = this.#all.filter((member) => member.probe !== probe);
  }

  get enabled(): readonly KprobeMember[] {
    return this.#all.filter(({ probe }) => probe.isEnabled);
  }

  /** Enabled members with a post handler. */
  get enabledPost(): readonly KprobeMember[] {
    return this.enabled.filter(({ kprobe }) => kprobe?.postHandler !== undefined);
  }

  /** What these name, each once. */
  namesOf(members: readonly KprobeMember[]): readonly string[] {
    return [...new Set(members.flatMap(({ variables }) => variables))];
  }

  /** Calls the pre handlers. Returns whether post handlers follow: none of those has returned true. */
  pre(all: NamedValues): boolean {
    const members = this.#all;
    return !members.some(
      ({ probe, kprobe, variables }) => probe.isEnabled && probe.call(() => kprobe?.preHandler?.(probe, regsAt(all, variables))),
    );
  }

  post(all: NamedValues, returnValue?: unknown): void {
    for (const { probe, kprobe, variables } of this.#all) {
      if (probe.isEnabled) probe.call(() => kprobe?.postHandler?.(probe, regsAt(all, variables, returnValue)));
    }
  }

  missed(): void {
    for (const { probe } of this.#all) if (probe.isEnabled) probe.missed++;
  }

  /** None of them is hit any more. */
  end(): void {
    this.missed();
    for (const { probe } of this.#all) probe.end().catch(() => {});
  }
}
