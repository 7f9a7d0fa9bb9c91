import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Errno } from '../../base/errno.js';
import { isPlain } from '../../base/glob.js';
import type { TraceEvent } from '../../events/define.js';
import type { EventWords } from '../../events/event-words.js';
import type { EventRegistry } from '../../events/registry.js';
import type { LinkedText } from '../../ftrace/text.js';
import type { MachineCode, Port } from '../../port/port.js';
import { fetchRoot, variableOf } from '../../probes/fetch-root.js';
import {
  needsSymbols,
  type ProbeArgument,
  type ProbeDefinition,
  type ProbeKind,
  RETURN_KINDS,
  type WrittenPlace,
} from '../../probes/probe-definition.js';
import { ProbeRefusal } from '../../probes/probe-errors.js';
import { isAtSites, type PointPlace } from '../../probes/probe-point.js';
import { isInlined } from '../ftrace/code-lines.js';
import type { FoundPlace } from '../ftrace/found-place.js';
import type { PlacedKprobe } from '../ftrace/process-kprobes.js';
import { NO_FUNCTION, type ProcessPlaces } from '../ftrace/process-places.js';
import type { ProcessTracer } from '../ftrace/process-tracer.js';
import type { TextTable } from '../ftrace/text-table.js';
import { BreakpointProbe } from './breakpoint-probe.js';
import { CopiedProbe } from './copied-probe.js';
import { findPlace, type PlaceNeeds, placeNeeds } from './find-place.js';
import type { ListedKprobe, ProbeWay } from './listed-kprobe.js';
import { checkGlob, checkMachineCode, machineCodeAt } from './machine-places.js';
import { placeOfLate } from './place-of-late.js';
import { meantBy, type ProbeCommon, type ProbeFunctions, SiteProbe } from './site-probe.js';
import { passesTo, type StatementAddress, StatementProbe, statementFor } from './statement-probe.js';
import { argumentsAt, readsVariables, withTypes } from './variable-arguments.js';

/** What probes need of the process. */
export interface ProbeTableNeeds {
  readonly port: Pick<Port, 'machineCode'>;
  readonly table: TextTable;
  readonly tracer: ProcessTracer;
  readonly events: EventRegistry;
  readonly eventWords: EventWords;
  readonly places: ProcessPlaces;
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
  readonly common: ProbeCommon;
  readonly kprobe: PlacedKprobe;
}

/** Milliseconds until V8 is asked for the places of a text that was linked: it compiles the text after that. */
const COMPILED = [5, 20, 100, 500, 2500];

/** Probes that stand at no function's patch site. */
const WAYS: Partial<Record<PointPlace['kind'], ProbeWay>> = { statement: 'statement' };

/** The letters of kprobes/list. */
const LISTED: Partial<Record<ProbeKind, 'k' | 'r'>> = { kprobe: 'k', kretprobe: 'r', settled: 'r' };

type SymbolPlace = Extract<WrittenPlace, { kind: 'symbol' }>;

const isAtSymbols = (place: WrittenPlace): place is SymbolPlace => place.kind === 'symbol' && place.offset === 0;

const isEntry = ({ offset, text }: FoundPlace): boolean => offset === 0 && text === undefined;

const placeKey = ({ n, offset, isOwn }: FoundPlace): string => `${n}+${offset} ${isOwn}`;

/** What kprobes/list shows of a place: in no function it is one of its file. */
function listedPlace(
  table: TextTable,
  { n, offset, text }: FoundPlace,
): Pick<ListedKprobe, 'address' | 'symbol' | 'offset' | 'module'> {
  if (text === undefined) return { address: table.address(n) + offset, symbol: table.name(n), offset, module: table.module(n) };
  const { name = basename(text.file), start = 0 } = text.body ?? {};
  return { address: text.base + offset, symbol: name, offset: offset - start, module: text.module };
}

/**
 * The probes of the process: each knows where in the program it stands. That an event is enabled, it is told as for every event
 * (`want`); the other methods say what the event's probes are.
 */
export class ProbeTable {
  readonly #process: ProbeTableNeeds;
  readonly #functions: ProbeFunctions;
  readonly #installed = new Map<AddedProbe, Installed>();
  readonly #byEvent = new Map<TraceEvent, Set<Installed>>();
  /** Where probes stand that were checked, and are not at the entries of symbols. */
  readonly #found = new WeakMap<ProbeDefinition, FoundPlace>();
  /** Statements of the probes that stand at sites of statements. */
  readonly #statements = new WeakMap<ProbeDefinition, StatementAddress>();
  /** What a probe of machine code fetches at each of its places, where it reads variables. */
  readonly #args = new WeakMap<ProbeDefinition, ReadonlyMap<string, readonly ProbeArgument[]>>();
  readonly #needs: PlaceNeeds;
  #lastId = 0;

  constructor(process: ProbeTableNeeds) {
    this.#process = process;
    this.#needs = placeNeeds(process);
    const { table, tracer } = process;
    this.#functions = {
      names: () => tracer.names(),
      find: (symbol, module) => table.find(symbol, module),
      params: (n) => table.function(n).params,
      hasThis: (n) => table.function(n).lacksThis !== true,
    };
  }

  /** The name of the function that begins at an address. */
  symbolAt(address: bigint): string | undefined {
    const symbol = this.#process.table.symbols().find(Number(BigInt.asIntN(64, address)));
    return symbol !== undefined && BigInt.asUintN(64, BigInt(symbol.address)) === address ? symbol.name : undefined;
  }

  /** The names of the registers that a probe at a place can fetch; undefined: there is no machine code. */
  registersAt(place: WrittenPlace): ReadonlySet<string> | undefined {
    return this.#machineCodeAt(place)?.registers;
  }

  /** The machine code in which a place is; undefined: it is in other text. */
  #machineCodeAt(place: WrittenPlace): MachineCode | undefined {
    return machineCodeAt(place, this.#process.port.machineCode, this.#functions, this.#process.table);
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
    const probes = [...this.#installed.keys()].filter((probe) => probe.event === event);
    return probes.some(({ definition }) => this.#machineCodeAt(definition.place) !== undefined);
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
  async check(asked: ProbeDefinition): Promise<ProbeDefinition> {
    const { place } = asked;
    if (place.kind === 'event') {
      if (this.#process.port.machineCode?.isAll !== true) return asked;
      throw new ProbeRefusal('FAIL_REG_PROBE', 'a native program has no probes of events');
    }
    const { tracer, table } = this.#process;
    tracer.decode();
    checkGlob(asked, this.#process.port.machineCode, this.#functions);
    const code = this.#machineCodeAt(place);
    if (code !== undefined) checkMachineCode(asked, code);
    if (asked.kind === 'settled' && place.kind === 'symbol') this.#checkSettles(place);
    if (code === undefined || !readsVariables(asked)) {
      await this.#checkPlace(asked);
      return asked;
    }
    const found = await this.#checkPlace(asked);
    if (found.length === 0)
      throw new ProbeRefusal('BAD_FETCH_ARG', 'nothing is known of the variables: its text is not loaded yet');
    const places = found.flatMap(({ copies = [], ...one }) => [one, ...copies]);
    const all = places.map((one) => ({ place: one, args: argumentsAt(code, one, asked) }));
    const definition = withTypes(table, asked, all);
    const [at] = found;
    if (!isAtSymbols(place) || this.#found.has(asked)) this.#found.set(definition, at!);
    this.#args.set(definition, new Map(all.map((one) => [placeKey(one.place), one.args])));
    return definition;
  }

  /** @returns the places that are known; empty: its text is not loaded yet */
  async #checkPlace(definition: ProbeDefinition): Promise<readonly FoundPlace[]> {
    const { kind, place, args } = definition;
    const { table } = this.#process;
    const code = this.#machineCodeAt(place);
    const isInlinedOnly =
      code !== undefined && place.kind === 'symbol' && isPlain(place.symbol) && meantBy(place, this.#functions).length === 0;
    if (!isAtSymbols(place) || isInlinedOnly) {
      const found = await findPlace(this.#needs, place);
      if (found !== undefined && (!isEntry(found) || isInlinedOnly) && RETURN_KINDS.includes(kind))
        throw new ProbeRefusal('BAD_RETPROBE');
      if (found === undefined) return [];
      this.#found.set(definition, found);
      const statement = isEntry(found) || found.text !== undefined ? undefined : await this.#statementAt(definition, found);
      if (statement !== undefined) this.#statements.set(definition, statement);
      return [found];
    }
    if (this.#readsScope(definition)) return [];
    this.#checkSite(place, kind);
    const functions = meantBy(place, this.#functions);
    if (code !== undefined) return functions.map((n) => ({ n, offset: 0 }));
    for (const n of functions) {
      const { params } = table.function(n);
      args.forEach(({ fetch }, i) => {
        const name = variableOf(fetch);
        if (name !== undefined && !params.includes(name))
          throw new ProbeRefusal('BAD_FETCH_ARG', `${name} is no parameter of ${table.name(n)}`, i);
      });
    }
    return [];
  }

  /** The probe is there from now on; its event has its id. @throws TraceError ENOMEM when there are too many */
  added(probe: AddedProbe): void {
    const { event } = probe;
    const common: ProbeCommon = {
      event: `${event.system}:${event.name}`,
      hits: this.#process.eventWords.takeOrThrow(),
      missed: this.#process.eventWords.takeOrThrow(),
      takeId: () => ++this.#lastId,
    };
    const installed = { common, kprobe: this.#place(probe, common) };
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
        for (const found of await this.#standing(place, definition)) {
          const way = place.kind === 'breakpoint' ? this.#breakpointWay(definition) : (WAYS[place.kind] ?? 'site');
          listed.push({ ...listedPlace(table, found), kind, isEnabled, way });
        }
      }
    }
    return listed;
  }

  #breakpointWay(definition: ProbeDefinition): ProbeWay {
    return this.#found.get(definition)?.way ?? (this.#machineCodeAt(definition.place) === undefined ? 'breakpoint' : 'jump');
  }

  /** The places where a point stands. */
  async #standing(place: PointPlace, definition: ProbeDefinition): Promise<readonly FoundPlace[]> {
    if (isAtSites(place)) return place.functions.map((n) => ({ n, offset: 0 }));
    if (place.kind === 'statement') return [{ n: place.n, offset: place.address - this.#process.table.address(place.n) }];
    if (place.kind !== 'breakpoint') return [];
    const { n, address, ranges, parts } = place;
    const [[offset] = [0]] = ranges;
    if (n !== NO_FUNCTION) return [{ n, offset }];
    const known = this.#found.get(definition);
    if (known !== undefined) return [known];
    const asked: WrittenPlace = parts === undefined ? { kind: 'address', address: address + offset } : definition.place;
    try {
      const found = await findPlace(this.#needs, asked);
      return found === undefined ? [] : [found];
    } catch {
      // V8 has no such place.
      return [];
    }
  }

  /** An instance wants an event from now on, or does not: the same holds for its probes. Returns whether it has any. */
  want(event: TraceEvent, instance: number, isWanted: boolean): boolean {
    const probes = this.#byEvent.get(event);
    for (const { kprobe } of probes ?? []) this.#process.tracer.kprobes.want(kprobe, instance, isWanted);
    return probes !== undefined;
  }

  async #statementAt(definition: ProbeDefinition, { n, offset }: FoundPlace): Promise<StatementAddress | undefined> {
    const { table, places } = this.#process;
    const sites = table.function(n).statements?.();
    if (sites === undefined) return undefined;
    const all = await places.of(n);
    if (all === undefined) return undefined;
    const offsets = all.map((place) => place.offset);
    const found = statementFor(sites, offset, offsets, (site) => passesTo(definition, site));
    return found && { ...found, n, address: table.address(n) + offset };
  }

  /** A probe whose text came later leaves its breakpoint for the site of a statement, once V8 can say which places are there. */
  async #moveToStatement(definition: ProbeDefinition, probe: BreakpointProbe, text: LinkedText): Promise<void> {
    const { tracer, places } = this.#process;
    for (const wait of COMPILED) {
      await sleep(wait, undefined, { ref: false });
      const found = await placeOfLate(this.#needs, places, definition.place, text);
      if (found === 'not compiled') continue;
      const statement = found && (await this.#statementAt(definition, found));
      if (statement === undefined) return;
      probe.moveTo(text, statement);
      tracer.kprobes.moved(probe);
      return;
    }
  }

  #place({ definition }: AddedProbe, common: ProbeCommon): PlacedKprobe {
    const { place, kind, args, maxactive } = definition;
    const { takeId, ...shared } = common;
    if (place.kind === 'event') {
      const { system, event } = place;
      const target = this.#process.events.find(system, event);
      const fixed: PointPlace =
        kind === 'tprobe'
          ? { kind: 'tracepoint', system, event, source: target?.source }
          : { kind: 'event', fields: Object.keys(target?.specs ?? {}) };
      const points = [{ ...shared, id: takeId(), place: fixed, args, maxactive }];
      return { points: () => points, needsSymbols: needsSymbols(definition) };
    }
    const found = isAtSymbols(place) ? (this.#found.get(definition) ?? this.#entryOf(place)) : this.#found.get(definition);
    if (found?.copies === undefined) return this.#standingAt(found, definition, common);
    const { copies, ...first } = found;
    return new CopiedProbe([first, ...copies].map((one) => this.#standingAt(one, definition, common)));
  }

  #standingAt(found: FoundPlace | undefined, definition: ProbeDefinition, common: ProbeCommon): PlacedKprobe {
    const { place, kind } = definition;
    const { table, places } = this.#process;
    const isSite = !this.#readsScope(definition) || RETURN_KINDS.includes(kind);
    if (isAtSymbols(place) && isSite && !this.#found.has(definition)) {
      const args = this.#args.get(definition);
      const argsOf = args && ((n: number) => args.get(placeKey({ n, offset: 0 })));
      return new SiteProbe(common, definition, place, { ...this.#functions, ...(argsOf && { argsOf }) });
    }
    const own = found && this.#args.get(definition)?.get(placeKey(found));
    const fetched = own === undefined ? definition : { ...definition, args: own };
    if (found !== undefined && isEntry(found) && isSite) return new SiteProbe(common, fetched, found.n, this.#functions);
    const statement = this.#statements.get(definition);
    if (statement !== undefined) return new StatementProbe(common, definition, statement);
    return new BreakpointProbe(common, fetched, found, {
      table,
      lineOf: (text, file, line) => places.lineOf(text, file, line),
      named: (symbol, module) => table.find(symbol, module),
      linked: (linked, text) => void this.#moveToStatement(definition, linked, text),
    });
  }

  /** Whether a probe reads variables that no site passes. */
  #readsScope({ args, place }: ProbeDefinition): boolean {
    return args.some(({ fetch }) => fetchRoot(fetch).kind === 'symbol') && this.#machineCodeAt(place) === undefined;
  }

  /** @throws ProbeRefusal if a symbol is a function without a site, or one whose end is not heard */
  #checkSite(place: SymbolPlace, kind: ProbeKind): void {
    const { table } = this.#process;
    const [n] = isPlain(place.symbol) ? table.find(place.symbol, place.module) : [];
    const { reason, unheard } = n === undefined ? {} : table.function(n);
    if (reason !== undefined) throw new ProbeRefusal('FAIL_REG_PROBE', `it has no site: ${reason}`);
    if (unheard !== undefined && RETURN_KINDS.includes(kind)) throw new ProbeRefusal('FAIL_REG_PROBE', unheard);
  }

  /** @throws ProbeRefusal if the calls of a function return no promise */
  #checkSettles({ symbol, module }: SymbolPlace): void {
    const [n] = this.#process.table.find(symbol, module);
    if (n === undefined || this.#process.table.function(n).yields !== true) return;
    throw new ProbeRefusal('FAIL_REG_PROBE', `${symbol} is a generator: its calls return no promise; %return is hit at its end`);
  }

  #entryOf({ symbol, module }: SymbolPlace): FoundPlace | undefined {
    const [n] = this.#process.table.find(symbol, module);
    return n === undefined ? undefined : { n, offset: 0 };
  }
}
