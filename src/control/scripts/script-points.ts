import { compileGlob } from '../../base/glob.js';
import type { TraceEvent } from '../../events/define.js';
import type { EventHandler } from '../../events/event-config.js';
import type { EventWords } from '../../events/event-words.js';
import type { EventRegistry } from '../../events/registry.js';
import type { TracedThread, TracedThreads } from '../../port/port.js';
import type { ProbeDefinition } from '../../probes/probe-definition.js';
import { isAtSites, type PointConfig, type PointFunction, type PointPlace } from '../../probes/probe-point.js';
import { readsSymbols } from '../../script/builtins.js';
import type { ScriptPoint } from '../../script/program.js';
import type { HandlerCode } from '../../script/script-code.js';
import { ThreadEventFiles } from '../events/thread-event-files.js';
import type { PlacedKprobe } from '../ftrace/process-kprobes.js';
import type { ProcessTracer } from '../ftrace/process-tracer.js';
import { type ProbeStand, siteStands } from '../probes/probe-stand.js';
import type { ProbeStands } from '../probes/probe-stands.js';
import type { ProbeTable } from '../probes/probe-table.js';
import { functionsOf, functionTestOf, type ScriptFunctionsNeeds } from './script-functions.js';

/** What the points of scripts need of the process. */
export interface ScriptPointsNeeds extends ScriptFunctionsNeeds {
  readonly tracer: ProcessTracer;
  readonly probes: ProbeTable;
  readonly events: EventRegistry;
  readonly eventWords: EventWords;
  readonly threads: TracedThreads;
}

type FunctionPoint = Extract<ScriptPoint, { kind: 'function' }>;

/** Where threads do not see hits: in a function, or at the place of a probe. */
export type LostPlace = { readonly n: number } | { readonly probe: string };

/** No task is left out. */
const ALL_TASKS = { ignoresEvents: () => false, eventBit: 0 } as const;

/** The word of an event that nobody records is never looked at. */
const NO_WORD = 0;

const KINDS = { entry: 'kprobe', return: 'kretprobe', settled: 'settled' } as const;

/** A handler as a probe that records nothing. */
function definitionOf({ fetches, point }: HandlerCode): ProbeDefinition {
  const args = fetches.map((fetch, i) => ({ name: `f${i}`, text: '', fetch, type: { name: 'value' as const } }));
  const common = { group: '', event: '', maxactive: 0, args };
  if (point.kind === 'statement') {
    const { file, line, symbol } = point;
    const place = symbol === undefined ? { kind: 'line' as const, file, line } : { kind: 'function line' as const, symbol, line };
    return { ...common, kind: 'kprobe', place };
  }
  const { at, symbol, maxactive = 0 } = point as FunctionPoint;
  return { ...common, kind: KINDS[at], place: { kind: 'symbol', symbol, offset: 0 }, maxactive };
}

/** The stands of a handler at the sites of functions: those that are loaded later too. */
class FunctionStands implements ProbeStands {
  readonly #definition: ProbeDefinition;
  readonly #needs: ScriptFunctionsNeeds;
  readonly #isMeant: (n: number) => boolean;
  readonly #found: Set<number>;

  constructor(definition: ProbeDefinition, point: FunctionPoint, needs: ScriptFunctionsNeeds) {
    this.#definition = definition;
    this.#needs = needs;
    this.#isMeant = functionTestOf(point, needs);
    this.#found = new Set(functionsOf(point, needs));
  }

  all(): ReadonlyMap<string, ProbeStand> {
    const { table } = this.#needs;
    return siteStands(this.#definition, this.#found, {
      params: (n) => table.function(n).params,
      hasThis: (n) => table.function(n).lacksThis !== true,
    });
  }

  link(linked: readonly number[]): boolean {
    const before = this.#found.size;
    for (const n of linked) if (this.#isMeant(n)) this.#found.add(n);
    return this.#found.size > before;
  }
}

/** A handler in the program's text: each of its stands is a point that the threads are told of. */
class StandingHandler implements PlacedKprobe {
  readonly needsSymbols: boolean;
  readonly mayGrow: boolean;
  readonly #script: number;
  readonly #handler: number;
  readonly #code: HandlerCode;
  readonly #stands: ProbeStands;
  readonly #needs: ScriptPointsNeeds;
  readonly #ids = new Map<unknown, number>();

  constructor(script: number, handler: number, code: HandlerCode, stands: ProbeStands, needs: ScriptPointsNeeds) {
    this.#script = script;
    this.#handler = handler;
    this.#code = code;
    this.#stands = stands;
    this.#needs = needs;
    this.needsSymbols = readsSymbols(code.reads);
    this.mayGrow = stands.link !== undefined;
  }

  points(): readonly PointConfig[] {
    const { point } = this.#code;
    const maxactive = point.kind === 'function' ? (point.maxactive ?? 0) : 0;
    return Array.from(this.#stands.all(), ([key, { place, args }]) => ({
      id: this.#idOf(key),
      event: this.#code.name,
      handler: {
        script: this.#script,
        handler: this.#handler,
        functions: functionsAt(place).map((n) => this.#named(n)),
        readsParameters: this.#readsParameters,
      },
      place,
      args,
      maxactive,
      hits: -1,
      missed: -1,
    }));
  }

  link(linked: readonly number[]): boolean {
    return this.#stands.link?.(linked) ?? false;
  }

  standsAt(place: LostPlace): boolean {
    if ('probe' in place) return place.probe === this.#code.name;
    return [...this.#stands.all().values()].some((stand) => functionsAt(stand.place).includes(place.n));
  }

  get #readsParameters(): boolean {
    return this.#code.reads.includes('parameters');
  }

  #named(n: number): PointFunction {
    const { table } = this.#needs;
    const params = this.#readsParameters ? table.function(n).params : [];
    return { n, name: table.name(n), module: table.module(n), params };
  }

  #idOf(key: unknown): number {
    let id = this.#ids.get(key);
    if (id === undefined) {
      id = this.#needs.probes.takeId();
      this.#ids.set(key, id);
    }
    return id;
  }
}

const functionsAt = (place: PointPlace): readonly number[] => {
  if (isAtSites(place)) return place.functions;
  return 'n' in place && place.n >= 0 ? [place.n] : [];
};

const isInText = ({ kind }: ScriptPoint): boolean => kind === 'function' || kind === 'statement';

const isEventOf = (point: Extract<ScriptPoint, { kind: 'event' }>, { system, name }: TraceEvent): boolean =>
  compileGlob(point.system).test(system) && compileGlob(point.name).test(name);

/** Has threads know the symbols of what they run, for handlers that stand in no text. */
const SYMBOLS: PlacedKprobe = { needsSymbols: true, mayGrow: false, points: () => [], link: () => false };

/** The handlers of a script that run on the program's threads: at functions, at statements, and by events. */
export class ScriptPoints {
  readonly #script: number;
  readonly #handlers: readonly HandlerCode[];
  readonly #needs: ScriptPointsNeeds;
  readonly #files: ThreadEventFiles;
  readonly #standing: PlacedKprobe[] = [];
  /** Handlers that stand in the program's text. */
  readonly #inText: StandingHandler[] = [];
  readonly #byEvent = new Map<TraceEvent, readonly EventHandler[]>();
  #unwatch: (() => void) | undefined;

  constructor(script: number, handlers: readonly HandlerCode[], needs: ScriptPointsNeeds) {
    this.#script = script;
    this.#handlers = handlers;
    this.#needs = needs;
    // Instances have numbers from 0 on.
    this.#files = new ThreadEventFiles(-script, needs.threads, needs.eventWords, ALL_TASKS);
  }

  /** @throws ProbeRefusal where a text cannot be probed; TraceError ENOSPC for too many functions that need breakpoints */
  async connect(): Promise<void> {
    const named = this.#handlers.flatMap(({ point }) => (point.kind === 'function' ? functionsOf(point, this.#needs) : []));
    this.#needs.tracer.admitBreakpoints(new Set(named));
    for (const [i, code] of this.#handlers.entries()) {
      const { point } = code;
      if (point.kind === 'function') this.#stand(i, new FunctionStands(definitionOf(code), point, this.#needs));
      else if (point.kind === 'statement') await this.#standAtStatement(i, code);
    }
    if (this.#handlers.some(({ point, reads }) => readsSymbols(reads) && !isInText(point))) this.#place({ ...SYMBOLS });
    for (const event of this.#needs.events.all()) {
      const handlers = this.#handlersOf(event);
      if (handlers.length > 0) this.#byEvent.set(event, handlers);
    }
    for (const [event, handlers] of this.#byEvent) this.#want(event, handlers);
    this.#needs.tracer.patch();
    this.#unwatch = this.#needs.events.watch({
      uses: (event) => this.#byEvent.has(event),
      gone: (event) => void this.#byEvent.delete(event),
      replaced: (event, by) => this.#replace(event, by),
      came: (event) => this.#came(event),
    });
  }

  /** Threads call nothing of it any more when they have obeyed. */
  disconnect(): void {
    this.#unwatch?.();
    const { tracer } = this.#needs;
    for (const one of this.#standing.splice(0)) tracer.kprobes.want(one, this.#instance, false);
    for (const event of [...this.#byEvent.keys()]) this.#want(event, undefined);
    this.#byEvent.clear();
    tracer.patch();
  }

  /** Whether a handler stands there. */
  standsAt(place: LostPlace): boolean {
    return this.#inText.some((one) => one.standsAt(place));
  }

  /** After the thread was told of the script. */
  addThread(thread: TracedThread): void {
    this.#files.addThread(thread);
  }

  get #instance(): number {
    return -this.#script;
  }

  async #standAtStatement(handler: number, code: HandlerCode): Promise<void> {
    const { probes, tracer } = this.#needs;
    const definition = await probes.check(definitionOf(code));
    const stands = probes.standsOf(definition, () => tracer.kprobes.moved(standing));
    const standing: PlacedKprobe = this.#stand(handler, stands);
  }

  #stand(handler: number, stands: ProbeStands): PlacedKprobe {
    const standing = new StandingHandler(this.#script, handler, this.#handlers[handler]!, stands, this.#needs);
    this.#inText.push(standing);
    this.#place(standing);
    return standing;
  }

  #place(standing: PlacedKprobe): void {
    this.#standing.push(standing);
    this.#needs.tracer.kprobes.want(standing, this.#instance, true);
  }

  /** The handlers of an event that the program has declared. */
  #came(event: TraceEvent): void {
    const handlers = this.#handlersOf(event);
    if (handlers.length === 0) return;
    this.#byEvent.set(event, handlers);
    this.#want(event, handlers);
    this.#needs.tracer.patch();
  }

  /** An event whose fields have come has another's place. */
  #replace(event: TraceEvent, by: TraceEvent): void {
    if (!this.#byEvent.delete(event)) return;
    this.#want(event, undefined);
    this.#came(by);
  }

  #handlersOf(event: TraceEvent): readonly EventHandler[] {
    return this.#handlers.flatMap(({ point }, handler) =>
      point.kind === 'event' && isEventOf(point, event) ? [{ script: this.#script, handler }] : [],
    );
  }

  #want(event: TraceEvent, handlers: readonly EventHandler[] | undefined): void {
    const { tracer, probes } = this.#needs;
    const isWanted = handlers !== undefined;
    if (event.takesFunctions === true) tracer.needAddresses(`${event.id} ${this.#instance}`, isWanted);
    probes.want(event, this.#instance, isWanted);
    const config = handlers && { word: NO_WORD, isRecorded: false, triggers: [], hists: [], handlers };
    this.#files.set(event, config);
  }
}
