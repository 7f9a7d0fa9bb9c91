import { statSync } from 'node:fs';
import type { Errno } from '../../base/errno.js';
import type { TraceEvent } from '../../events/define.js';
import type { EventWords } from '../../events/event-words.js';
import type { ProbeDefinition, ProbeKind, WrittenPlace } from '../../probes/probe-definition.js';
import { isInlined } from '../ftrace/code-lines.js';
import { type ListedKprobe, listedPlace } from './listed-kprobe.js';
import type { ProbeStands } from './probe-stands.js';
import { StandSearch, type StandSearchNeeds } from './stand-search.js';
import { type ProbeCommon, StandingProbe } from './standing-probe.js';

/** What probes need of the process. */
export interface ProbeTableNeeds extends StandSearchNeeds {
  readonly eventWords: EventWords;
}

/** A probe that is there. Several can share an event. */
export interface AddedProbe {
  readonly definition: ProbeDefinition;
  readonly event: TraceEvent;
}

/** How often a probe was hit while its event was enabled, and how often it could not be recorded. */
export interface ProbeHits {
  readonly hits: number;
  readonly missed: number;
}

/** A probe, and how it is put into the program. */
interface Installed {
  readonly definition: ProbeDefinition;
  readonly common: ProbeCommon;
  readonly kprobe: StandingProbe;
}

/** The letters of kprobes/list. */
const LISTED: Partial<Record<ProbeKind, 'k' | 'r'>> = { kprobe: 'k', kretprobe: 'r', settled: 'r' };

/**
 * The probes of the process: each knows where in the program it stands. That an event is enabled, it is told as for every event
 * (`want`); the other methods say what the event's probes are.
 */
export class ProbeTable {
  readonly #process: ProbeTableNeeds;
  readonly #search: StandSearch;
  readonly #installed = new Map<AddedProbe, Installed>();
  readonly #byEvent = new Map<TraceEvent, Set<Installed>>();
  #lastId = 0;

  constructor(process: ProbeTableNeeds) {
    this.#process = process;
    this.#search = new StandSearch(process);
  }

  /** The name of the function that begins at an address. */
  symbolAt(address: bigint): string | undefined {
    const symbol = this.#process.table.symbols().find(Number(BigInt.asIntN(64, address)));
    return symbol !== undefined && BigInt.asUintN(64, BigInt(symbol.address)) === address ? symbol.name : undefined;
  }

  /** The names of the registers that a probe at a place can fetch; undefined: there is no machine code. */
  registersAt(place: WrittenPlace): ReadonlySet<string> | undefined {
    return this.#search.machineCodeAt(place)?.registers;
  }

  /** Whether a path, or the end of one, is that of a file with a text, loaded or on disk; or why it is not. */
  file(path: string): 'regular' | 'other' | Errno {
    if (this.#process.table.hasFile(path)) return 'regular';
    try {
      return statSync(path).isFile() ? 'regular' : 'other';
    } catch (error) {
      return (error as { readonly code: Errno }).code;
    }
  }

  /** Whether a function of this name was inlined into others. */
  isInlined(name: string): boolean {
    return isInlined(this.#process.table, name);
  }

  /** Whether triggers of the event run after it, when its stack is gone. */
  lacksStack(event: TraceEvent): boolean {
    const probes = [...(this.#byEvent.get(event) ?? [])];
    return probes.some(({ definition }) => this.#search.machineCodeAt(definition.place) !== undefined);
  }

  /** The names of the parameters of function `n`: those of machine code as debug information has them. */
  params(n: number): readonly string[] {
    const { debug } = this.#process.table.textOf(n);
    const one = this.#process.table.function(n);
    const known = debug?.variables(one, { offset: 0 }).filter(({ kind }) => kind === 'parameter');
    return known?.map(({ name }) => name) ?? one.params;
  }

  /**
   * Looks whether the probe can be there, before it gets an event. Its symbols are known to be unique; a package may not be
   * loaded yet.
   * @returns the same with the types of variables (ProbeArgument.takesType)
   * @throws ProbeRefusal, whose caret goes under the place or the argument
   */
  check(asked: ProbeDefinition): Promise<ProbeDefinition> {
    return this.#search.check(asked);
  }

  /**
   * Where a checked probe stands that has no event.
   * @param moved called when a stand has changed its place
   */
  standsOf(definition: ProbeDefinition, moved: () => void): ProbeStands {
    return this.#search.standsOf(definition, moved);
  }

  /** A number that no other point has. */
  takeId(): number {
    return ++this.#lastId;
  }

  /** The probe is there from now on; its event has its id. @throws TraceError ENOMEM when there are too many */
  added(probe: AddedProbe): void {
    const { definition, event } = probe;
    const common: ProbeCommon = {
      event: `${event.system}:${event.name}`,
      hits: this.#process.eventWords.takeOrThrow(),
      missed: this.#process.eventWords.takeOrThrow(),
      takeId: () => this.takeId(),
    };
    const { kprobes } = this.#process.tracer;
    const stands = this.#search.standsOf(definition, () => kprobes.moved(kprobe));
    const kprobe = new StandingProbe(common, definition, stands);
    const installed = { definition, common, kprobe };
    this.#installed.set(probe, installed);
    const ofEvent = this.#byEvent.get(event);
    if (ofEvent === undefined) this.#byEvent.set(event, new Set([installed]));
    else ofEvent.add(installed);
  }

  /** The probe is gone. Its event was disabled before, or has other probes and stays. */
  removed(probe: AddedProbe): void {
    const installed = this.#installed.get(probe);
    if (installed === undefined) return;
    this.#installed.delete(probe);
    const ofEvent = this.#byEvent.get(probe.event);
    ofEvent?.delete(installed);
    if (ofEvent?.size === 0) this.#byEvent.delete(probe.event);
    const { hits, missed } = installed.common;
    this.#process.eventWords.free(hits);
    this.#process.eventWords.free(missed);
  }

  hits(probe: AddedProbe): ProbeHits {
    const { hits = -1, missed = -1 } = this.#installed.get(probe)?.common ?? {};
    const { words } = this.#process.eventWords;
    // The words are counted up without regard to their sign.
    return { hits: (words[hits] ?? 0) >>> 0, missed: (words[missed] ?? 0) >>> 0 };
  }

  /** Probes of kprobe_events, for kprobes/list; one whose text is not loaded yet is left out. */
  async kprobes(): Promise<readonly ListedKprobe[]> {
    const { table, tracer } = this.#process;
    const listed: ListedKprobe[] = [];
    for (const [{ definition }, { kprobe }] of this.#installed) {
      const kind = LISTED[definition.kind];
      if (kind === undefined) continue;
      const isEnabled = tracer.kprobes.isWanted(kprobe);
      for (const { place } of kprobe.points()) {
        const way = this.#search.wayOf(place, definition);
        for (const found of await this.#search.placesOf(place, definition))
          listed.push({ ...listedPlace(table, found), kind, isEnabled, way });
      }
    }
    return listed;
  }

  /** An instance wants an event from now on, or does not: the same holds for its probes. Returns whether it has any. */
  want(event: TraceEvent, instance: number, isWanted: boolean): boolean {
    const probes = this.#byEvent.get(event);
    for (const { kprobe } of probes ?? []) this.#process.tracer.kprobes.want(kprobe, instance, isWanted);
    return probes !== undefined;
  }
}
