import { AtomicsAdd as add } from '../../base/primordials.js';
import type { Activation } from '../../ftrace/activation.js';
import type { KprobeSettling } from '../../ftrace/kprobes/kprobe.js';
import type { Settlings } from '../../ftrace/kprobes/kprobe-planner.js';
import { isAtSites, type PointChange, type PointConfig, type PointPlace } from '../../probes/probe-point.js';
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
import { REJECTS, type ThreadTrace } from '../tracers/thread-trace.js';
import { FAULT } from './fetch-values.js';
import { PointBreakpoint } from './point-breakpoint.js';
import { PointSites } from './point-sites.js';
import { PointStatements } from './point-statements.js';
import { namedArguments } from './probe-arguments.js';
import { type PendingCall, type SavedValues, SettledCalls } from './settled-calls.js';
import { type PointStand, type PointThread, StandingPoint } from './standing-point.js';
import { StatementCalls, type StatementCells } from './statement-calls.js';

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
  readonly #configs = new SafeMap<number, PointConfig>();
  readonly #points = new SafeMap<number, EventPoint>();
  /** The ids of the probes of each event, in the order in which they came: each leads to itself. */
  readonly #ids = new SafeMap<string, Map<number, number>>();
  readonly #sites: PointSites;
  /** Who hears the statements of functions. */
  readonly statementCalls: StatementCalls;
  readonly #settled: SettledCalls<StandingPoint>;
  /** Creates a point in the text of the program. */
  readonly #stand: (config: PointConfig, handler?: HandlerProbe) => StandingPoint | undefined;
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
    this.statementCalls = new StatementCalls(statementCells);
    this.#settled = new SettledCalls(trace.clock, (point, n, call, { value, status, at }) => {
      if (!point.ends()) return;
      env.eventTime.at = at;
      point.hitAtEnd(n, call, value, status, at - call.at);
      env.eventTime.at = 0;
    });
    this.#sites = new PointSites(this.#settled);
    const thread: PointThread = { trace, env, ended: (event, why) => probeEnded?.(event, why) };
    const statements = new PointStatements(this.statementCalls, thread);
    const standOf = (place: PointPlace): PointStand | undefined => {
      if (isAtSites(place)) return this.#sites;
      if (place.kind === 'statement') return statements;
      return place.kind === 'breakpoint' ? new PointBreakpoint(place, breakpoints, thread) : undefined;
    };
    this.#stand = (config, handler) => {
      const stand = standOf(config.place);
      return stand && new StandingPoint(config, stand, thread, handler);
    };
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
        const points = this.#sites.of[n];
        if (points === undefined) return IGNORED;
        const { entries, returns, settles, hearsEnd, keepsArguments, keepsCaller, saving, keepsCall } = points;
        for (let i = 0; i < entries.length; i++) entries[i]!.hit(n, self, args);
        if (!hearsEnd) return IGNORED;
        for (let i = 0; i < returns.length; i++) returns[i]!.began();
        for (let i = 0; i < settles.length; i++) settles[i]!.began();
        // Nothing is allocated for a handler that only looks at the clock (8 to 10 of 58 ns for an entry and a return, the last
        // line of bench/scripts.mjs).
        if (!keepsCall) {
          this.#calls[depth] = undefined;
          return bit;
        }
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
        const points = this.#sites.of[n];
        if (points === undefined) return;
        const { returns, settles } = points;
        const call = this.#calls[depth] ?? NO_CALL;
        this.#calls[depth] = undefined;
        for (let i = 0; i < returns.length; i++) {
          const point = returns[i]!;
          // What it has thrown is known when that has rejected the promise of an async function: next.
          if (unwound && point.hearsThrown && this.#trace.caught === REJECTS && call !== NO_CALL)
            this.#settled.ended({ points: [point], n, call }, value, true, true);
          else if (point.ends()) point.hitAtEnd(n, call, unwound ? FAULT : value);
        }
        if (settles.length > 0 && call !== NO_CALL)
          this.#settled.ended({ points: settles, n, call }, value, unwound, isCoroutine);
      },
      suspended: (depth, activation) => {
        const call = this.#calls[depth];
        if (call === undefined || this.#sites.of[activation.fn]?.hearsEnd !== true) return;
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
    if (place.kind !== 'tracepoint') return this.#stand(config, handler);
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
function saveFor(saving: readonly StandingPoint[], n: number, self: unknown, args: readonly unknown[]): SavedValues | undefined {
  let saved: SavedValues | undefined;
  for (let i = 0; i < saving.length; i++) {
    const point = saving[i]!;
    const values = point.save!(n, self, args);
    if (values !== undefined) saved = { point, values, next: saved };
  }
  return saved;
}
