import type { FunctionProbes } from '../../ftrace/commands/function-probes.js';
import type { Allocate } from '../../ftrace/commands/probe-counts.js';
import type { FilterName, FunctionFilter } from '../../ftrace/function-filter.js';
import type { FunctionNames } from '../../ftrace/function-match.js';
import { isEmptyHash } from '../../ftrace/hash.js';
import type { FtraceOps } from '../../ftrace/ops.js';
import { wantedBy } from '../../ftrace/plan.js';
import { type DynFtraceRecords, FTRACE_FL } from '../../ftrace/records.js';
import type { SubscriberRequest } from '../../ftrace/register.js';
import type { ServiceKind } from '../../ftrace/tracers/services.js';
import type { AnnouncedText, TextAnnouncements, TracedThread } from '../../port/port.js';
import { type InstanceTracer, TOP_INSTANCE, type TracerSettings } from './instance-tracer.js';
import { InstanceTracers } from './instance-tracers.js';
import type { OpsOwner } from './ops-owner.js';
import { ProcessDiversions } from './process-diversions.js';
import { ProcessKprobes } from './process-kprobes.js';
import { ProcessProbes } from './process-probes.js';
import { ProcessServices, type ServiceRequest } from './process-services.js';
import { ProcessSites } from './process-sites.js';
import { ProcessSubscribers } from './process-subscribers.js';
import type { TextTable } from './text-table.js';
import { whyKept } from './why-kept.js';

/** The function tracing of the process: plans what all owners of ops want, and updates each thread. */
export class ProcessTracer {
  readonly top: InstanceTracer;
  readonly #threads = new Set<TracedThread>();
  readonly #table: TextTable;
  readonly #announcements: TextAnnouncements;
  readonly #sites: ProcessSites;
  readonly #tracers = new InstanceTracers(this.#threads);
  readonly #probes: ProcessProbes;
  readonly #services = new ProcessServices(this.#threads, () => this.top.ops);
  readonly #subscribers = new ProcessSubscribers();
  /** The probes of probe events that are on. */
  readonly kprobes: ProcessKprobes;
  /** What replaces functions comes last: the others are called as if it were not there. */
  readonly diversions = new ProcessDiversions(this.#threads, (n) => whyKept(this, this.#table, n) === undefined);
  readonly #owners: readonly OpsOwner[];
  /** Events that are recorded with the addresses of functions which the program passes. */
  readonly #addressed = new Set<string>();
  #tellUnnamed: ((count: number, user: string) => void) | undefined;

  /**
   * @param announcements where threads announce their texts
   * @param allocate gives memory that all threads can write to
   */
  constructor(table: TextTable, settings: TracerSettings, announcements: TextAnnouncements, allocate?: Allocate) {
    this.#probes = new ProcessProbes(this.#threads, allocate);
    this.#table = table;
    this.#announcements = announcements;
    this.#sites = new ProcessSites(table);
    this.kprobes = new ProcessKprobes(this.#threads, table, (n) => this.records.setOverheated(n, false));
    this.#owners = [this.#tracers, this.#probes, this.#services, this.kprobes, this.#subscribers, this.diversions];
    this.top = this.addInstance(TOP_INSTANCE, settings);
  }

  get records(): DynFtraceRecords {
    return this.#sites.records;
  }

  /** Whether functions must be patched before they first run, or their addresses be known. */
  get isOn(): boolean {
    return this.#addressed.size > 0 || this.#ops().length > 0;
  }

  /** An event whose records have addresses of functions is wanted, or not any more: threads must know the functions then. */
  needAddresses(event: string, isWanted: boolean): void {
    if (!isWanted) {
      this.#addressed.delete(event);
      return;
    }
    this.#addressed.add(event);
    this.decode();
    this.#sites.describe();
  }

  /** The callback of the one ops that wants function `n`; undefined when it is none or several. */
  trampoline(n: number): string | undefined {
    if ((this.records.flags(n) & FTRACE_FL.TRAMP) === 0) return undefined;
    return wantedBy(this.records, this.#ops(), 1)(n)[0]?.name;
  }

  addInstance(instance: number, settings: TracerSettings): InstanceTracer {
    return this.#tracers.add(instance, settings);
  }

  /** Takes the tracer of an instance away; its sites become NOPs first. */
  removeInstance(tracer: InstanceTracer): void {
    this.#end(tracer);
    this.#tracers.delete(tracer);
  }

  addThread(thread: TracedThread): void {
    this.#threads.add(thread);
    this.#sites.addThread(thread);
    for (const owner of this.#owners) owner.addThread?.(thread);
  }

  removeThread(thread: TracedThread): void {
    this.#threads.delete(thread);
    this.#sites.removeThread(thread);
    for (const owner of this.#owners) owner.removeThread?.(thread);
  }

  /** Threads loaded texts: their functions get the patches that they need before they run. */
  link(texts: readonly AnnouncedText[]): void {
    this.#know(texts);
    if (this.isOn) {
      this.#decodeKnown();
      const ops = this.#ops();
      for (const text of texts) {
        if (this.#addressed.size > 0) this.#sites.describeText(text);
        this.#sites.patchText(text, ops);
      }
    } else if (this.kprobes.tellsSymbols) this.#decodeKnown();
    this.#patched(texts);
  }

  /** Reads the texts that threads have announced in their logs. */
  takeTexts(): void {
    this.#take(this.isOn || this.kprobes.tellsSymbols);
  }

  #take(areNeeded: boolean): void {
    const texts = this.#announcements.take(areNeeded);
    if (texts.length > 0) this.link(texts);
  }

  /**
   * A thread had loaded a text before fentry was attached. `isReached`: breakpoints reach its functions when a filter names
   * them.
   */
  linkLoadedBefore(text: AnnouncedText, isReached: boolean): void {
    this.#table.link(text.link);
    if (isReached) this.#sites.link(text);
  }

  /**
   * A script is about to stand on functions: those that need breakpoints may have them.
   * @throws TraceError ENOSPC if there are too many
   */
  admitBreakpoints(functions: ReadonlySet<number>): void {
    this.#sites.admitBreakpoints(functions);
  }

  /** Takes the breakpoints of a function away, until a filter or a probe names it again. */
  overheated(n: number): void {
    this.records.setOverheated(n, true);
    this.patch();
  }

  /** How many functions there are, decoded or not. */
  functionCount(): number {
    this.#take(true);
    return this.#table.count;
  }

  /** Adds the newly announced texts. */
  decode(): void {
    this.#take(true);
    this.#decodeKnown();
  }

  #know(texts: readonly AnnouncedText[]): void {
    for (const text of texts) {
      this.#table.link(text.link);
      this.#sites.link(text);
    }
  }

  #patched(texts: readonly AnnouncedText[]): void {
    for (const { thread } of texts) this.#announcements.done(thread);
    // A thread that linked one before anything was on does not wait for its patches.
    if (this.isOn) for (const thread of new Set(texts.map((text) => text.thread))) thread.settled().catch(() => {});
  }

  #decodeKnown(): void {
    const linked = this.#sites.decode();
    this.kprobes.named();
    if (linked.length === 0) return;
    let names: FunctionNames | undefined;
    for (const owner of this.#owners) owner.link(() => (names ??= this.#sites.names()), linked);
    if (this.isOn) this.#sites.record(linked, this.#ops());
  }

  /** Makes every site a NOP and removes all subscribers. */
  end(): void {
    this.#subscribers.clear();
    this.kprobes.clear();
    for (const kind of this.#services.running) this.endService(kind);
    this.diversions.clear();
    for (const tracer of this.#tracers.all) this.#end(tracer);
    this.diversions.end();
  }

  #end(tracer: InstanceTracer): void {
    this.#probes.removeInstance(tracer.instance);
    this.configure(tracer, { ...tracer.settings, tracer: 'nop' });
  }

  /** Changes the settings of an instance's tracer. */
  configure(tracer: InstanceTracer, settings: TracerSettings): void {
    const starts = settings.tracer !== 'nop';
    const isOther = settings.tracer !== tracer.settings.tracer;
    this.#tracers.configure(tracer, settings);
    if (tracer === this.top) this.#services.tellAnew();
    if (starts) this.#countUnnamed(tracer, settings.tracer);
    // A tracer is set before its first patch, and removed after its last; it starts to measure when all patches are there.
    if (starts) this.#tracers.tell(tracer, !isOther);
    this.patch();
    if (!starts || (isOther && tracer.isLatency)) this.#tracers.tell(tracer);
  }

  setFilter(tracer: InstanceTracer, which: FilterName, filter: FunctionFilter): void {
    if (which === 'filter') this.#sites.admitBreakpoints(filter.functions);
    const parents = tracer.wantsParents;
    tracer.filters.set(which, filter);
    tracer.takeFilters();
    const isGraph = which === 'graph' || which === 'graphNotrace';
    if (isGraph || parents !== tracer.wantsParents) this.#tracers.tell(tracer);
    if (!isGraph) this.patch();
  }

  /** Calls `tell` when a tracer, or the profiler, begins that leaves out functions because only breakpoints would reach them. */
  onUnnamed(tell: (count: number, user: string) => void): void {
    this.#tellUnnamed = tell;
  }

  #countUnnamed({ ops }: InstanceTracer, user: string): void {
    if (this.#tellUnnamed === undefined || !isEmptyHash(ops.filter)) return;
    this.decode();
    const count = this.#sites.countLoadedBefore;
    if (count > 0) this.#tellUnnamed(count, user);
  }

  /** The probes of an instance. Changes take effect with `patch`. */
  probes({ instance }: InstanceTracer): FunctionProbes {
    return this.#probes.of(instance);
  }

  /** Makes an instance's tracer check the running task by this bit; 0: no check. */
  filterTasks(tracer: InstanceTracer, ignoredBit: number): void {
    if (tracer.ignoredBit === ignoredBit) return;
    tracer.ignoredBit = ignoredBit;
    if (tracer.ops.enabled) this.#tracers.tell(tracer);
  }

  /** The sites of the threads that `excludes` names do not call an instance's tracer. */
  exclude(tracer: InstanceTracer, excludes: ((tid: number) => boolean) | undefined): void {
    tracer.exclude(excludes);
    this.patch();
  }

  /** Starts a service on every thread, or changes its configuration. */
  setService(kind: ServiceKind, request: ServiceRequest): void {
    if (kind === 'profiler') this.#countUnnamed(this.top, kind);
    this.#services.set(kind, request);
    this.#services.tell(kind);
    this.patch();
  }

  endService(kind: ServiceKind): void {
    this.#services.delete(kind);
    this.patch();
    this.#services.tell(kind);
  }

  /**
   * Plans for a subscriber of a thread's program (registerFtraceFunction), again if it is already known.
   * @throws TraceError EINVAL for a word that matches nothing
   */
  subscribe(thread: TracedThread, request: SubscriberRequest): void {
    this.#subscribers.set(thread, request, this.names());
    this.patch();
  }

  unsubscribe(thread: TracedThread, id: number): void {
    this.#subscribers.delete(thread, id);
    this.patch();
  }

  /** Whether probes of functions are armed: those of events, and those that the program has registered. */
  get areKprobesArmed(): boolean {
    return this.kprobes.areArmed;
  }

  armKprobes(areArmed: boolean): void {
    this.kprobes.halt(!areArmed);
    this.#subscribers.switchProbes(areArmed);
    this.patch();
  }

  /** The functions as a filter sees them. */
  names(): FunctionNames {
    this.decode();
    return this.#sites.names();
  }

  /** Updates the records and the sites of every thread to what the owners want now. */
  patch(): void {
    const texts = this.#announcements.take(this.isOn);
    this.#know(texts);
    this.#decodeKnown();
    this.#sites.patch(this.#ops());
    this.#patched(texts);
  }

  #ops(): readonly FtraceOps[] {
    return this.#owners.flatMap(({ ops }) => ops);
  }
}
