import type { EarlyText } from '../../arch/v8/breakpoints/early-text.js';
import type { LinkEvent } from '../../arch/v8/loader/link-event.js';
import { TraceError } from '../../base/errno.js';
import type { FilterName } from '../../core/host.js';
import type { FunctionProbes } from '../../ftrace/commands/function-probes.js';
import { FilterEditor, type FunctionFilter, filterLinked, parseFilterWord } from '../../ftrace/function-filter.js';
import { type FunctionNames, functionNames } from '../../ftrace/function-match.js';
import { EMPTY_HASH, isEmptyHash } from '../../ftrace/hash.js';
import { createOps, type FtraceOps, OPS_ID, opsWants } from '../../ftrace/ops.js';
import { updateRecords } from '../../ftrace/plan.js';
import { DynFtraceRecords, FTRACE_FL } from '../../ftrace/records.js';
import type { SubscriberRequest } from '../../ftrace/register.js';
import { SERVICE_OPS, type ServiceKind } from '../../tracers/services.js';
import { MOST_BREAKPOINTS } from '../breakpoint-limits.js';
import { InstanceTracer, TOP_INSTANCE, type TracerSettings } from './instance-tracer.js';
import { ProcessProbes } from './process-probes.js';
import type { TextRange, TextTable } from './text-table.js';
import type { ThreadConnection } from './thread-connection.js';
import { ThreadPatches } from './thread-patches.js';

/** A service as it runs on every thread. */
export interface ServiceRequest {
  /** Its callback, as enabled_functions names it. */
  readonly name: string;
  /** FTRACE_OPS_FL bits. */
  readonly flags?: number;
  /** Absent: it has the top level's filter and notrace, as they come and go (the kernel's global_ops). */
  readonly filter?: FunctionFilter;
  readonly notrace?: FunctionFilter;
  /**
   * What each thread's service is told; it must be cloneable. A function says it for the thread on a cpu, and is asked again
   * when functions were linked or the top level's settings changed.
   */
  readonly config: unknown;
}

interface RunningService {
  readonly ops: FtraceOps;
  readonly config: unknown;
  readonly hasTopFilter: boolean;
}

/** The function tracing of the process: who subscribes to what, and each thread brought to it. */
export class ProcessTracer {
  readonly records = new DynFtraceRecords();
  readonly top: InstanceTracer;
  readonly #table: TextTable;
  readonly #threads = new Map<ThreadConnection, ThreadPatches>();
  readonly #instances = new Set<InstanceTracer>();
  readonly #services = new Map<ServiceKind, RunningService>();
  readonly #probes = new ProcessProbes(this.#threads);
  #subscribers: readonly FtraceOps[] = [];
  #tellUnnamed: ((count: number, tracer: string) => void) | undefined;

  constructor(table: TextTable, settings: TracerSettings) {
    this.#table = table;
    this.top = this.addInstance(TOP_INSTANCE, settings);
  }

  /** Whether functions must be patched before they first run. */
  get isOn(): boolean {
    return this.#all().some(({ enabled }) => enabled);
  }

  /** The callback of the one ops that wants function `n`; undefined when it is none or several. */
  trampoline(n: number): string | undefined {
    if ((this.records.flags(n) & FTRACE_FL.TRAMP) === 0) return undefined;
    return this.#all().find((ops) => opsWants(ops, n))?.name;
  }

  addInstance(instance: number, settings: TracerSettings): InstanceTracer {
    const tracer = new InstanceTracer(instance, settings);
    this.#instances.add(tracer);
    return tracer;
  }

  /** Takes the tracer of an instance away; its sites become NOPs first. */
  removeInstance(tracer: InstanceTracer): void {
    this.#probes.removeInstance(tracer.instance);
    this.configure(tracer, { ...tracer.settings, tracer: 'nop' });
    this.#instances.delete(tracer);
    for (const thread of this.#threads.keys()) thread.post({ type: 'removeInstance', instance: tracer.instance });
  }

  addThread(thread: ThreadConnection): void {
    this.#threads.set(thread, new ThreadPatches(thread));
    for (const tracer of this.#instances) if (tracer.concernsThreads) tracer.tell(thread);
    for (const [kind, service] of this.#services) this.#tellService(thread, kind, service);
    this.#probes.addThread(thread);
  }

  removeThread(thread: ThreadConnection): void {
    this.#threads.delete(thread);
    this.#subscribers = this.#subscribers.filter(({ cpu }) => cpu !== thread.cpu);
  }

  /** A thread loaded a text: its functions get the patches that they need before they run. */
  link(thread: ThreadConnection, { firstFunction, functionCount }: LinkEvent): void {
    const text: TextRange = { firstFunction, end: firstFunction + functionCount };
    const patches = this.#threads.get(thread);
    patches?.link(text);
    if (!this.isOn) return;
    this.decode();
    patches?.apply(this.records, this.#all(), this.#table, text);
  }

  /** A thread had loaded a text before fentry came: breakpoints reach its functions. */
  linkEarly(thread: ThreadConnection, { firstFunction, functionCount }: LinkEvent, early: EarlyText): void {
    this.#threads.get(thread)?.linkEarly({ firstFunction, end: firstFunction + functionCount }, early);
  }

  /** Takes the breakpoints of a function away, until a filter names it again. */
  overheated(n: number): void {
    this.records.setOverheated(n, true);
    this.#patch();
  }

  /** Takes in the texts that were announced since. */
  decode(): void {
    const linked: number[] = [];
    for (const { firstFunction, functions, isEarly } of this.#table.decode()) {
      this.records.link(firstFunction, functions, isEarly);
      functions.forEach((one, index) => {
        if (one.reason === undefined) linked.push(firstFunction + index);
      });
    }
    if (linked.length === 0) return;
    for (const tracer of this.#instances) this.#linkFilters(tracer, linked);
    this.#linkOthers(linked);
    if (this.isOn) this.#update(linked);
  }

  /** Makes every site a NOP and forgets who wanted it otherwise. */
  end(): void {
    const services = [...this.#services.keys()];
    this.#services.clear();
    this.#subscribers = [];
    for (const { instance } of this.#instances) this.#probes.removeInstance(instance);
    for (const tracer of this.#instances) this.configure(tracer, { ...tracer.settings, tracer: 'nop' });
    for (const kind of services) for (const thread of this.#threads.keys()) thread.post({ type: 'service', kind });
  }

  /**
   * Gives the tracer of an instance other settings.
   * @throws TraceError EBUSY when too many instances trace functions already
   */
  configure(tracer: InstanceTracer, settings: TracerSettings): void {
    const starts = settings.tracer !== 'nop';
    const isOther = settings.tracer !== tracer.settings.tracer;
    tracer.configure(settings, starts && !tracer.ops.enabled ? this.#freeId(tracer) : tracer.ops.id);
    if (tracer === this.top) this.#tellServices();
    if (starts) this.#countUnnamed(tracer);
    // A tracer is set before its first patch, and taken away after its last; what it measures begins with all its patches.
    if (starts) this.#sendConfig(tracer, !isOther);
    this.#patch();
    if (!starts || (isOther && tracer.isLatency)) this.#sendConfig(tracer);
  }

  setFilter(tracer: InstanceTracer, which: FilterName, filter: FunctionFilter): void {
    if (which === 'filter') this.#admitBreakpoints(filter);
    const parents = tracer.wantsParents;
    tracer.filters.set(which, filter);
    tracer.takeFilters();
    const isGraph = which === 'graph' || which === 'graphNotrace';
    if (isGraph || parents !== tracer.wantsParents) this.#sendConfig(tracer);
    if (!isGraph) this.#patch();
  }

  /** Has `tell` called when a tracer begins that leaves functions out because breakpoints would reach them. */
  onUnnamed(tell: (count: number, tracer: string) => void): void {
    this.#tellUnnamed = tell;
  }

  #countUnnamed({ ops, settings }: InstanceTracer): void {
    if (this.#tellUnnamed === undefined || !isEmptyHash(ops.filter)) return;
    this.decode();
    const count = this.#table.numbers().filter((n) => this.records.isEarly(n)).length;
    if (count > 0) this.#tellUnnamed(count, settings.tracer);
  }

  /** @throws TraceError ENOSPC, as for hardware breakpoints, when a filter names more functions than may have breakpoints */
  #admitBreakpoints({ functions }: FunctionFilter): void {
    const early = [...functions].filter((n) => this.records.isEarly(n));
    if (early.length > MOST_BREAKPOINTS) {
      throw new TraceError(
        'ENOSPC',
        `${early.length} of these functions were loaded before fentry and need a breakpoint each: at most ${MOST_BREAKPOINTS} may have one`,
      );
    }
    for (const n of early) this.records.setOverheated(n, false);
  }

  /** The probes of an instance. What is changed of them holds after `patchProbes`. */
  probes({ instance }: InstanceTracer): FunctionProbes {
    return this.#probes.of(instance);
  }

  /** Brings the sites to the probes that there are now. */
  patchProbes(): void {
    this.#patch();
  }

  /** Has an instance's tracer look at the task that runs, by this bit; 0: it need not. */
  filterTasks(tracer: InstanceTracer, ignoredBit: number): void {
    if (tracer.ignoredBit === ignoredBit) return;
    tracer.ignoredBit = ignoredBit;
    if (tracer.ops.enabled) this.#sendConfig(tracer);
  }

  /** Keeps the sites of the threads that `excludes` names from calling an instance's tracer. */
  exclude(tracer: InstanceTracer, excludes: ((tid: number) => boolean) | undefined): void {
    tracer.exclude(excludes);
    this.#patch();
  }

  /** Has every thread run a service, under another configuration when it runs already; undefined ends it. */
  setService(kind: ServiceKind, request: ServiceRequest | undefined): void {
    if (request === undefined) {
      this.#services.delete(kind);
      this.#patch();
      for (const thread of this.#threads.keys()) thread.post({ type: 'service', kind });
      return;
    }
    const { name, flags, filter = EMPTY_HASH, notrace = EMPTY_HASH, config } = request;
    const ops = { ...createOps(SERVICE_OPS[kind], name, flags), filter, notrace, enabled: true };
    const service = { ops, config, hasTopFilter: request.filter === undefined };
    this.#services.set(kind, service);
    for (const thread of this.#threads.keys()) this.#tellService(thread, kind, service);
    this.#patch();
  }

  /**
   * Plans for a subscriber of a thread's program (registerFtraceFunction), anew when it is known.
   * @throws TraceError EINVAL for a word that matches nothing
   */
  subscribe({ cpu }: ThreadConnection, { id, name, flags, filter, notrace }: SubscriberRequest): void {
    this.decode();
    const names = this.names();
    const ops: FtraceOps = {
      ...createOps(id, name, flags, cpu),
      filter: filterOf(names, filter),
      notrace: filterOf(names, notrace),
      enabled: true,
    };
    this.#subscribers = [...this.#subscribers.filter((one) => one.cpu !== cpu || one.id !== id), ops];
    this.#patch();
  }

  unsubscribe({ cpu }: ThreadConnection, id: number): void {
    this.#subscribers = this.#subscribers.filter((one) => one.cpu !== cpu || one.id !== id);
    this.#patch();
  }

  /** The functions as a filter sees them. */
  names(): FunctionNames {
    const table = this.#table;
    return functionNames(
      table.numbers().filter((n) => table.function(n).reason === undefined),
      (n) => table.name(n),
      (n) => table.module(n),
    );
  }

  #linkFilters(tracer: InstanceTracer, linked: readonly number[]): void {
    if (!tracer.filters.hasWords) return;
    const changed = tracer.filters.link(this.names(), linked);
    if (changed.length === 0) return;
    tracer.takeFilters();
    if (changed.includes('graph') || changed.includes('graphNotrace')) this.#sendConfig(tracer);
  }

  /** Takes functions that were linked into the filters of subscribers and services. */
  #linkOthers(linked: readonly number[]): void {
    this.#probes.link(() => this.names(), linked);
    if (this.#subscribers.length + this.#services.size === 0) return;
    const names = this.names();
    const grown = (ops: FtraceOps): FtraceOps => ({
      ...ops,
      filter: filterLinked(ops.filter as FunctionFilter, names, linked),
      notrace: filterLinked(ops.notrace as FunctionFilter, names, linked),
    });
    this.#subscribers = this.#subscribers.map(grown);
    for (const [kind, service] of this.#services) this.#services.set(kind, { ...service, ops: grown(service.ops) });
    this.#tellServices();
  }

  /** Tells services again whose configuration depends on the functions or on the top level's settings. */
  #tellServices(): void {
    for (const [kind, service] of this.#services) {
      if (typeof service.config !== 'function') continue;
      for (const thread of this.#threads.keys()) this.#tellService(thread, kind, service);
    }
  }

  #tellService(thread: ThreadConnection, kind: ServiceKind, { config }: RunningService): void {
    thread.post({ type: 'service', kind, config: typeof config === 'function' ? config(thread.cpu) : config });
  }

  #all(): readonly FtraceOps[] {
    const instances = [...this.#instances].map(({ ops }) => ops);
    const { filter, notrace } = this.top.ops;
    const services = [...this.#services.values()].map(({ ops, hasTopFilter }) =>
      hasTopFilter ? { ...ops, filter, notrace } : ops,
    );
    return [...instances.filter(({ enabled }) => enabled), ...this.#probes.ops, ...services, ...this.#subscribers];
  }

  #freeId({ instance }: InstanceTracer): number {
    if (instance === TOP_INSTANCE) return OPS_ID.TRACER;
    const used = new Set(this.#all().map(({ id }) => id));
    for (let id: number = OPS_ID.FIRST_INSTANCE; id <= OPS_ID.LAST_INSTANCE; id++) if (!used.has(id)) return id;
    throw new TraceError('EBUSY', `${OPS_ID.LAST_INSTANCE} instances trace functions already`);
  }

  #patch(): void {
    this.decode();
    const all = this.#all();
    updateRecords(this.records, all);
    for (const patches of this.#threads.values()) patches.apply(this.records, all, this.#table);
  }

  #update(linked: readonly number[]): void {
    const from = linked.reduce((least, n) => Math.min(least, n), Number.POSITIVE_INFINITY);
    const to = linked.reduce((most, n) => Math.max(most, n), 0) + 1;
    updateRecords(this.records, this.#all(), from, to);
  }

  #sendConfig(tracer: InstanceTracer, measures = true): void {
    for (const thread of this.#threads.keys()) tracer.tell(thread, measures);
  }
}

/** The filter that words make, written one after the other to an empty one. */
function filterOf(names: FunctionNames, words: readonly string[]): FunctionFilter {
  const editor = new FilterEditor(names, EMPTY_HASH);
  for (const word of words) editor.apply(parseFilterWord(word), names.listed.length === 0);
  return editor.result();
}
