import { AtomicsAdd as add } from '../../base/primordials.js';
import type { Activation } from '../../ftrace/activation.js';
import type { KprobeSettling } from '../../ftrace/kprobes/kprobe.js';
import type { Settlings } from '../../ftrace/kprobes/kprobe-planner.js';
import type { PointChange, PointConfig, PointPlace } from '../../probes/probe-point.js';
import type { ProbeBreakpoints } from '../breakpoints/probe-breakpoints.js';
import type { EventNeeds } from '../events/event-needs.js';
import type { EventPoint } from '../events/event-point.js';
import type { ProbeArguments } from '../events/event-probe-source.js';
import { tracepointsPoint } from '../events/tracepoint-point.js';
import type { Tracepoints } from '../events/tracepoints.js';
import { SafeMap, SafeWeakMap } from '../realm/primordials.js';
import type { HandlerProbe, ThreadScripts } from '../scripts/thread-scripts.js';
import { IGNORED } from '../tracers/entry.js';
import type { TraceService } from '../tracers/services.js';
import type { ThreadTrace } from '../tracers/thread-trace.js';
import { BreakpointPoint, type BreakpointPointNeeds } from './breakpoint-point.js';
import { FAULT } from './fetch-values.js';
import { namedArguments } from './probe-arguments.js';
import { type PendingCall, type SavedValues, SettledCalls, savedFor } from './settled-calls.js';
import { FunctionPointsTable, type SiteNeeds, SitePoint } from './site-points.js';
import { StatementCalls, type StatementCells } from './statement-calls.js';
import { StatementPoint, StatementPoints } from './statement-points.js';

const NONE: readonly unknown[] = [];
const NO_CALL: PendingCall = { self: undefined, args: NONE, caller: 0, at: 0, made: undefined, saved: undefined };

/** What the probes of a thread need of it. */
export interface ProbePointsNeeds {
  readonly tracepoints: Tracepoints;
  /** Declares the tracepoints of fentry's own events of a system, and one that another thread has found by its source. */
  readonly load?: (
    event: { readonly system: string; readonly name: string; readonly source?: string },
    trace: ThreadTrace,
  ) => void;
  readonly breakpoints?: ProbeBreakpoints;
  /** The cells of statements; absent: there are none. */
  readonly statementCells?: StatementCells;
  /** A probe is not hit, or not any more. */
  readonly probeEnded?: (event: string, why: string) => void;
}

const NS_PER_MS = 1e6;

/** The probes that were put into the program, on one thread (kernel/trace/trace_kprobe.c). */
export class ProbePoints {
  readonly #trace: ThreadTrace;
  readonly #env: EventNeeds;
  readonly #tracepoints: Tracepoints;
  readonly #load: (place: Extract<PointPlace, { kind: 'tracepoint' }>) => void;
  readonly #breakpoints: BreakpointPointNeeds;
  readonly #configs = new SafeMap<number, PointConfig>();
  readonly #points = new SafeMap<number, EventPoint>();
  /** The ids of the probes of each event, in the order in which they came: each leads to itself. */
  readonly #ids = new SafeMap<string, Map<number, number>>();
  readonly #functions = new FunctionPointsTable();
  readonly #statements: StatementPoints;
  /** Who hears the statements of functions. */
  readonly statementCalls: StatementCalls;
  readonly #settled: SettledCalls<SitePoint>;
  readonly #sites: SiteNeeds;
  /** By depth, of frames whose end is heard; and of coroutines that are not on the stack. */
  readonly #calls: (PendingCall | undefined)[] = [];
  readonly #suspended = new SafeWeakMap<Activation, PendingCall>();
  /** Called with an event, `SYSTEM:EVENT`, that a probe causes from now on; undefined: by another event, or nothing does yet. */
  onAdded: (event: string, point: EventPoint | undefined) => void = () => {};
  /** Hears of a point that has gone. */
  onRemoved: (event: string, point: EventPoint | undefined) => void = () => {};
  /** The scripts whose handlers points run; there before the first of these. */
  scripts: Pick<ThreadScripts, 'probeAt'> | undefined;

  constructor(trace: ThreadTrace, env: EventNeeds, needs: ProbePointsNeeds) {
    const { tracepoints, load, breakpoints, statementCells, probeEnded } = needs;
    this.#trace = trace;
    this.#env = env;
    this.#tracepoints = tracepoints;
    this.#load = ({ system, event, source }) => {
      const wanted = { system, name: event, ...(source !== undefined && { source }) };
      tracepoints.loading(() => load?.(wanted, trace));
    };
    const common = { words: () => trace.eventWords, ended: (event: string, why: string) => probeEnded?.(event, why) };
    this.#breakpoints = { breakpoints, ...common };
    this.statementCalls = new StatementCalls(statementCells);
    this.#settled = new SettledCalls(trace.clock, (point, n, call, { value, status, at }) => {
      if (!this.#ends(point)) return;
      env.eventTime.at = at;
      this.#hit(point, n, call, value, status, at - call.at);
      env.eventTime.at = 0;
    });
    this.#sites = { functions: this.#functions, settled: this.#settled };
    this.#statements = new StatementPoints({ calls: this.statementCalls, env, ...common });
  }

  /** Hears how calls settle that a probe of the program is told of. */
  settlings<Probed>(settled: (probed: Probed, settling: KprobeSettling) => void): Settlings<Probed> {
    const { clock } = this.#trace;
    const calls = new SettledCalls<Probed>(clock, (probed, _n, call, { value, status, at }) =>
      settled(probed, { status, value: value === FAULT ? undefined : value, duration: (at - call.at) / NS_PER_MS }),
    );
    calls.add(calls);
    return {
      began: () => ({ ...NO_CALL, at: clock(), made: calls.made }),
      ended: (probed, began, value, unwound, isCoroutine) =>
        calls.ended({ points: [probed], n: 0, call: began as PendingCall }, value, unwound, isCoroutine),
      end: () => calls.remove(calls),
    };
  }

  /** What causes an event; empty if no probe does. */
  of(event: string): readonly EventPoint[] {
    return this.#idsOf(event).flatMap((id) => this.#points.get(id) ?? []);
  }

  /** How an event gets its values from those of the event that causes it; undefined if it is no eprobe's. */
  causedArguments(event: string): ProbeArguments | undefined {
    for (const id of this.#idsOf(event)) {
      const config = this.#configs.get(id)!;
      if (config.place.kind === 'event') return namedArguments(config, config.place.fields);
    }
    return undefined;
  }

  #idsOf(event: string): readonly number[] {
    return [...(this.#ids.get(event)?.values() ?? [])];
  }

  /** The program has declared a tracepoint, for which probes may have waited. */
  declared(key: string): void {
    this.#configs.forEach((config) => {
      const { place } = config;
      if (place.kind === 'tracepoint' && `${place.system}:${place.event}` === key) this.#add(config);
    });
  }

  /** The service that sites call. `bit` is what its entry returns for a call whose end is heard. */
  service(bit: number): TraceService {
    return {
      entry: (n, depth, self, args) => {
        const points = this.#functions.of[n];
        if (points === undefined) return IGNORED;
        const { entries, returns, settles, hearsEnd, keepsArguments, keepsCaller, saving } = points;
        for (let i = 0; i < entries.length; i++) this.#entered(entries[i]!, n, self, args);
        if (!hearsEnd) return IGNORED;
        for (let i = 0; i < returns.length; i++) this.#begin(returns[i]!);
        for (let i = 0; i < settles.length; i++) this.#begin(settles[i]!);
        const caller = keepsCaller ? this.#callerAt(depth) : 0;
        const at = settles.length === 0 ? 0 : this.#trace.clock();
        const { made } = this.#settled;
        const saved = saving.length === 0 ? undefined : saveFor(saving, n, self, args);
        this.#calls[depth] = keepsArguments
          ? { self, args, caller, at, made, saved }
          : { self: undefined, args: NONE, caller, at, made, saved };
        return bit;
      },
      exited: (depth, n, value, unwound, isCoroutine) => {
        const points = this.#functions.of[n];
        if (points === undefined) return;
        const { returns, settles } = points;
        const call = this.#calls[depth] ?? NO_CALL;
        this.#calls[depth] = undefined;
        for (let i = 0; i < returns.length; i++) {
          if (this.#ends(returns[i]!)) this.#hit(returns[i]!, n, call, unwound ? FAULT : value);
        }
        if (settles.length > 0 && call !== NO_CALL)
          this.#settled.ended({ points: settles, n, call }, value, unwound, isCoroutine);
      },
      suspended: (depth, activation) => {
        const call = this.#calls[depth];
        if (call === undefined || this.#functions.of[activation.fn]?.hearsEnd !== true) return;
        this.#suspended.set(activation, call);
        this.#calls[depth] = undefined;
      },
      resumed: (depth, activation) => {
        const call = this.#suspended.get(activation);
        if (call !== undefined) this.#calls[depth] = call;
      },
      configure: (change) => this.#configure(change as PointChange | undefined),
    };
  }

  /**
   * Who calls the function that is entered at this depth: what calls it without a place in text is the traced function around it.
   */
  #callerAt(depth: number): number {
    const found = this.#env.callerAt(0);
    return found === 0 && depth > 0 ? this.#env.functionAddress(this.#trace.fgraph.functions[depth - 1]!) : found;
  }

  #begin(point: SitePoint): void {
    const { maxactive, missed } = point.config;
    if (maxactive === 0) return;
    if (point.active < maxactive) point.active++;
    else {
      point.skipped++;
      add(this.#trace.eventWords, missed, 1);
    }
  }

  /** Whether the end of a call is heard. */
  #ends(point: SitePoint): boolean {
    if (point.skipped > 0) {
      point.skipped--;
      return false;
    }
    if (point.active > 0) point.active--;
    return true;
  }

  #entered(point: SitePoint, n: number, self: unknown, args: readonly unknown[]): void {
    const { probe, config } = point;
    if (probe === undefined) return;
    this.#count(config);
    probe(n, self, args, undefined, 0);
  }

  #hit(point: SitePoint, n: number, call: PendingCall, value: unknown, status?: string, duration?: number): void {
    const { probe, config, save } = point;
    if (probe === undefined) return;
    this.#count(config);
    const saved = save === undefined ? undefined : savedFor(call.saved, point);
    probe(n, call.self, call.args, value, call.caller, status, duration, saved);
  }

  #count({ hits, missed }: PointConfig): void {
    // What is called while an event is being recorded is not heard, as a kprobe inside a kprobe's handler.
    if (hits >= 0) add(this.#trace.eventWords, this.#env.isInside ? missed : hits, 1);
  }

  #configure(change: PointChange | undefined): void {
    if (change?.type === 'symbols') {
      this.#env.addSymbols(change.symbols);
      return;
    }
    if (change?.type === 'add') {
      this.#add(change.point);
      return;
    }
    const gone = change === undefined ? [...this.#configs.values()] : [this.#configs.get(change.id)];
    for (const config of gone) {
      if (config === undefined) continue;
      const { id, event } = config;
      const point = this.#drop(id);
      this.#configs.delete(id);
      if (config.handler !== undefined) {
        point?.connect(undefined, undefined);
        continue;
      }
      const ids = this.#ids.get(event);
      ids?.delete(id);
      if (ids?.size === 0) this.#ids.delete(event);
      this.onRemoved(event, point);
    }
  }

  #drop(id: number): EventPoint | undefined {
    const point = this.#points.get(id);
    if (point === undefined) return undefined;
    this.#points.delete(id);
    point.remove();
    return point;
  }

  #add(config: PointConfig): void {
    const { id, event, place } = config;
    const before = this.#drop(id);
    if (config.handler !== undefined) {
      before?.connect(undefined, undefined);
      this.#addHandler(config);
      return;
    }
    if (before !== undefined) this.onRemoved(event, before);
    // Node's own events are declared when one of them is first wanted.
    if (place.kind === 'tracepoint' && this.#tracepoints.named(`${place.system}:${place.event}`).length === 0) this.#load(place);
    let ids = this.#ids.get(event);
    if (ids === undefined) this.#ids.set(event, (ids = new SafeMap<number, number>()));
    ids.set(id, id);
    this.#configs.set(id, config);
    const point = this.#create(config);
    if (point !== undefined) this.#points.set(id, point);
    this.onAdded(event, point);
  }

  #addHandler(config: PointConfig): void {
    const handler = this.scripts?.probeAt(config);
    if (handler === undefined) return;
    const point = this.#create(config, handler);
    if (point === undefined) return;
    this.#configs.set(config.id, config);
    this.#points.set(config.id, point);
    point.connect(handler.probe, undefined);
  }

  #create(config: PointConfig, handler?: HandlerProbe): EventPoint | undefined {
    const { place } = config;
    if (place.kind === 'event') return undefined;
    if (place.kind === 'breakpoint') return new BreakpointPoint(config, place, this.#breakpoints);
    if (place.kind === 'statement') return new StatementPoint(config, place, this.#statements);
    if (place.kind !== 'tracepoint') return new SitePoint(config, this.#sites, handler);
    const all = this.#tracepoints.named(`${place.system}:${place.event}`);
    const [first] = all;
    if (first === undefined) return undefined;
    const count = (): void => void add(this.#trace.eventWords, this.#env.isInside ? config.missed : config.hits, 1);
    return tracepointsPoint(
      all.filter(({ args }) => args.join() === first.args.join()),
      namedArguments(config, first.args),
      count,
    );
  }
}

/** What the entry of a call saves for those that hear its end. */
function saveFor(saving: readonly SitePoint[], n: number, self: unknown, args: readonly unknown[]): SavedValues | undefined {
  let saved: SavedValues | undefined;
  for (let i = 0; i < saving.length; i++) {
    const point = saving[i]!;
    const values = point.save!(n, self, args);
    if (values !== undefined) saved = { point, values, next: saved };
  }
  return saved;
}
