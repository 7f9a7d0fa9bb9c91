import { TraceError } from '../../base/errno.js';
import { nextTurn } from '../../base/next-turn.js';
import type { TraceEvent } from '../../events/define.js';
import type { EventWords } from '../../events/event-words.js';
import { FTRACE_EVENTS } from '../../events/ftrace-events.js';
import type { FunctionProbes } from '../../ftrace/commands/function-probes.js';
import type { FilterName, FunctionFilter } from '../../ftrace/function-filter.js';
import { textOfMark } from '../../ftrace/marker.js';
import type { OptionFlags } from '../../ftrace/options.js';
import type { PidFileName, PidList } from '../../ftrace/pid-list.js';
import { TRACING_MARK_WRITE } from '../../ftrace/symbols.js';
import { isLatencyTracer, type TracerName, tracerNamed } from '../../ftrace/tracers/tracers.js';
import { MAX_WRITERS } from '../../port/limits.js';
import { MARKS_OFF, type Port, type TracedThread, type TracedThreads } from '../../port/port.js';
import {
  createInstanceSwitch,
  DEFAULT_SUBBUF_BYTES,
  InstanceSwitch,
  type TraceClock,
  traceClock,
} from '../../ring-buffer/index.js';
import type { EventChange } from '../events/instance-events.js';
import type { OwnEvents, OwnEventsInstance } from '../events/own-events.js';
import { ThreadEventFiles } from '../events/thread-event-files.js';
import { type InstanceTracer, TOP_INSTANCE, type TracerSettings } from '../ftrace/instance-tracer.js';
import type { ProcessTracer } from '../ftrace/process-tracer.js';
import { HwlatDetector } from '../hwlat/hwlat-detector.js';
import { HwlatSettings } from '../hwlat/hwlat-settings.js';
import { LatencyWatch } from '../latency/latency-watch.js';
import type { MaxTrace } from '../latency/max-trace.js';
import type { ProbeTable } from '../probes/probe-table.js';
import type { AsyncContexts } from '../tasks/async-contexts.js';
import { BufferWriters, type WriterNeeds } from './buffer-writers.js';
import type { InstanceBackend } from './instance-backend.js';
import { InstancePids } from './instance-pids.js';
import { OwnRecords, type RecordNeeds } from './own-records.js';
import type { ThreadBuffer } from './thread-buffer.js';
import { ThreadBuffers } from './thread-buffers.js';

/** The options by which the lists of tasks follow what listed tasks start. */
const FORKS = ['function-fork', 'event-fork'] as const;
const isMark = ({ id }: TraceEvent): boolean => id === FTRACE_EVENTS.print.id;
const STACK_OF_MARKS: readonly number[] = [TRACING_MARK_WRITE.address];

/** What an instance needs of the process. */
export interface InstanceNeeds extends WriterNeeds, RecordNeeds {
  readonly port: Pick<Port, 'flags' | 'counter' | 'sharesSites' | 'hasOwnSites' | 'allocate' | 'largestBuffer' | 'reportsEvents'>;
  readonly threads: TracedThreads;
  readonly tracer: ProcessTracer;
  readonly contexts: AsyncContexts;
  readonly eventWords: EventWords;
  readonly probes: Pick<ProbeTable, 'want'>;
  readonly ownEvents: OwnEvents;
  /** Whether async contexts are the tasks of every instance, or threads. */
  setAsyncContext(on: boolean): void;
}

/** The value of the flag `marks-off`. */
const marksOff = (options: OptionFlags): number =>
  (options.markers ? 0 : MARKS_OFF.markers) | (options.trace_printk ? 0 : MARKS_OFF.trace_printk);

/** One instance's share of the process: a buffer and a tracer on each thread. */
export class ProcessInstance implements InstanceBackend {
  readonly tracer: InstanceTracer;
  readonly #process: InstanceNeeds;
  readonly #buffers: ThreadBuffers;
  readonly #writers: BufferWriters;
  readonly #records: OwnRecords;
  readonly #events: ThreadEventFiles;
  readonly taskPids: InstancePids;
  readonly hwlat = new HwlatSettings(() => this.#detector.restart());
  readonly #detector = new HwlatDetector(this.hwlat, {
    threads: () => this.#process.threads.living.filter(({ cpu }) => !this.#isMasked(cpu)),
    request: () => ({
      widthUs: this.hwlat.width,
      thresholdUs: Math.floor(this.maximum.threshold / 1000),
      max: this.maximum.latency.memory,
    }),
    record: (sample, tid, comm) => this.#records.gaps(sample, tid, comm, this.maximum.latency),
  });
  readonly #watch = new LatencyWatch({
    threads: () => this.#process.threads.living,
    runningSince: (cpu) => this.maximum.runningSince(cpu),
    threshold: () => this.maximum.threshold,
    now: traceClock,
  });
  /** Snapshots that triggers of marks take. */
  readonly #snapshots: Promise<void>[] = [];
  readonly #own: OwnEventsInstance;
  #isMasked: (cpu: number) => boolean = () => false;

  /**
   * @param bytes data bytes of each thread's buffer
   * @param words its InstanceSwitch, if threads have it already
   */
  constructor(process: InstanceNeeds, tracer: InstanceTracer, bytes: number, words?: SharedArrayBuffer) {
    const { port } = process;
    const allocate = (size: number): SharedArrayBuffer => port.allocate(size);
    const memory = words ?? createInstanceSwitch(MAX_WRITERS, allocate);
    this.#process = process;
    this.tracer = tracer;
    this.#buffers = new ThreadBuffers(bytes, tracer.settings.options.overwrite, new InstanceSwitch(memory), allocate);
    this.taskPids = new InstancePids(process, tracer);
    this.#writers = new BufferWriters(process, tracer.instance, this.#buffers, memory);
    this.#records = new OwnRecords(process, this.#writers.own);
    this.#own = {
      number: tracer.instance,
      writer: () => this.#writers.own.get(),
      cpu: () => this.#buffers.lowestAllowed() ?? 0,
      effects: (task) => ({
        tracingIsOn: () => this.tracingOn,
        setTracing: (on) => this.setTracingOn(on),
        // A thread that is blocked follows when it runs again.
        snapshot: () => void this.#snapshots.push(this.takeSnapshot().catch(() => {})),
        stack: () => void this.#records.stack(STACK_OF_MARKS, task().pid),
      }),
      stack: STACK_OF_MARKS,
    };
    this.#events = new ThreadEventFiles(tracer.instance, process.threads, process.eventWords, this.taskPids);
  }

  get maximum(): MaxTrace {
    return this.tracer.maximum;
  }

  cpus(): readonly ThreadBuffer[] {
    this.#process.threads.look();
    return this.#buffers.all;
  }

  setTracer(tracer: TracerName): Promise<void> {
    if (tracer !== 'nop') this.#writers.use();
    const { maximum } = tracerNamed(tracer);
    if (maximum === undefined) this.maximum.free();
    else this.maximum.restart(maximum === 'trace' ? this.#buffers.pages : 0, DEFAULT_SUBBUF_BYTES);
    const obeyed = this.#configure({ tracer });
    this.#detect();
    return obeyed;
  }

  async setOptions(options: OptionFlags): Promise<void> {
    this.#buffers.setOverwrite(options.overwrite);
    // The events that stack traces follow are then recorded by the threads themselves.
    if (options.stacktrace) this.#writers.use();
    const { settings } = this.tracer;
    await this.lookAtPids();
    if (options['patch-at-once'] !== settings.options['patch-at-once'])
      this.#process.port.flags.set('patch-at-once', options['patch-at-once'] ? 1 : 0);
    if (this.tracer.instance === TOP_INSTANCE) this.#process.port.flags.set('marks-off', marksOff(options));
    const obeyed = this.#configure({ options });
    this.#detect();
    if (FORKS.some((fork) => options[fork] !== settings.options[fork])) this.applyPids();
    if (options['async-context'] !== settings.options['async-context']) this.#process.setAsyncContext(options['async-context']);
    await obeyed;
  }

  setMaxGraphDepth(maxDepth: number): Promise<void> {
    return this.#configure({ maxDepth });
  }

  setThreshold(threshold: number): Promise<void> {
    this.maximum.threshold = threshold;
    this.#detect();
    return this.#configure({ threshold });
  }

  filter(which: FilterName): FunctionFilter {
    this.#process.tracer.decode();
    return this.tracer.filters.get(which);
  }

  setFilter(which: FilterName, filter: FunctionFilter): Promise<void> {
    this.#process.tracer.setFilter(this.tracer, which, filter);
    return this.#process.obeyed();
  }

  probes(): FunctionProbes {
    this.#process.tracer.decode();
    return this.#process.tracer.probes(this.tracer);
  }

  applyProbes(): Promise<void> {
    // A probe switches its instance through the thread's buffer.
    if (this.probes().all.length > 0) this.#writers.use();
    this.#process.tracer.patch();
    return this.#process.obeyed();
  }

  setEvents(changes: readonly EventChange[]): Promise<void> {
    const { probes, tracer } = this.#process;
    if (changes.some(([, config]) => config !== undefined)) this.#writers.use();
    let haveProbes = false;
    for (const [event, config] of changes) {
      // A thread connects an event with the probes that it knows.
      if (event.takesFunctions === true) tracer.needAddresses(`${event.id} ${this.tracer.instance}`, config !== undefined);
      if (probes.want(event, this.tracer.instance, config !== undefined)) haveProbes = true;
      const isOwn = event.system === 'synthetic' || isMark(event) || this.#process.port.reportsEvents === true;
      if (isOwn) this.#process.ownEvents.configure(this.#own, event, config);
      // A mark is always recorded: only its triggers are wanted.
      this.#events.set(event, config && isMark(event) ? { ...config, isRecorded: false } : config);
    }
    if (haveProbes) tracer.patch();
    return this.#process.obeyed();
  }

  /** Events that were first recorded since the last call. */
  newEvents(): readonly TraceEvent[] {
    return this.#events.newEvents().filter((event) => !isMark(event));
  }

  pids(name: PidFileName): PidList {
    this.#process.threads.look();
    return this.taskPids.get(name);
  }

  async lookAtPids(): Promise<void> {
    if (!this.#process.contexts.isOn) return;
    this.#process.contexts.ask();
    // A blocked thread has not answered, but its tasks do not change either.
    await this.#process.obeyed().catch(() => {});
  }

  /** Applies the lists of tasks: what tasks are has changed, or whether they are followed. */
  applyPids(): void {
    this.taskPids.apply();
    this.#events.applyPids();
  }

  setPids(name: PidFileName, list: PidList): Promise<void> {
    this.taskPids.set(name, list);
    this.#events.applyPids();
    return this.#process.obeyed();
  }

  get tracingOn(): boolean {
    return this.#buffers.instance.tracingOn;
  }

  setTracingOn(on: boolean): void {
    this.#buffers.instance.setOff('tracingOn', !on);
    this.#detect();
  }

  setPaused(paused: boolean): void {
    this.#buffers.instance.setOff('paused', paused);
  }

  setMask(isMasked: (cpu: number) => boolean): void {
    this.#isMasked = isMasked;
    this.#buffers.setMask(isMasked);
  }

  get hasSnapshot(): boolean {
    return this.#buffers.hasSnapshot;
  }

  allocateSnapshot(): Promise<void> {
    return this.#writers.snapshot.allocate();
  }

  freeSnapshot(): Promise<void> {
    return this.#writers.snapshot.free();
  }

  async takeSnapshot(): Promise<void> {
    await this.#buffers.fitSnapshot(this.#writers.movers);
    await this.#writers.snapshot.take();
  }

  /** hwlat samples while it is the tracer, and tracing is on; turns that no function is recorded of are looked at from here. */
  #detect(): void {
    const { tracer, options } = this.tracer.settings;
    if (this.tracingOn && tracerNamed(tracer).samples) this.#detector.start();
    else this.#detector.stop();
    const isBlind = isLatencyTracer(tracer) && !options['function-trace'] && this.maximum.threshold !== 0;
    if (this.tracingOn && isBlind) this.#watch.start();
    else this.#watch.stop();
  }

  setClock(clock: TraceClock): Promise<void> {
    return this.#writers.setClock(clock);
  }

  now(): number {
    return this.#writers.now();
  }

  async resize(cpu: number, bytes: number): Promise<void> {
    await this.#checkSize(cpu, bytes);
    await this.#buffers.resize(cpu, bytes, this.#writers.movers);
    if (!isLatencyTracer(this.tracer.settings.tracer)) return;
    // The trace of a latency must fit: threads get memory of the new size.
    this.maximum.resize(this.#buffers.pages, DEFAULT_SUBBUF_BYTES);
    await this.#configure({});
  }

  /** What is too large is refused before a buffer has changed. @throws TraceError ENOMEM */
  async #checkSize(cpu: number, bytes: number): Promise<void> {
    const { port } = this.#process;
    if (cpu >= 0 || port.largestBuffer === undefined || bytes <= port.largestBuffer().bytes) return;
    // Buffers that nobody has any more are given back when they are collected.
    globalThis.gc?.();
    await nextTurn();
    const { bytes: most, why } = port.largestBuffer();
    if (bytes > most) throw new TraceError('ENOMEM', `${Math.max(0, Math.floor(most / 1024))} KB at most: ${why}`);
  }

  mark(text: Uint8Array, pid: number, comm: string, ip?: number): boolean | Promise<boolean> {
    if (!this.#records.mark(text, pid, comm, ip)) return false;
    // What a function prints by itself has no triggers in the kernel either.
    if (ip !== undefined) return true;
    const values = { ip: TRACING_MARK_WRITE.address, buf: textOfMark(text) };
    this.#process.ownEvents.happened(FTRACE_EVENTS.print, this.tracer.instance, values, { pid, comm });
    return this.#snapshots.length === 0 || Promise.all(this.#snapshots.splice(0)).then(() => true);
  }

  markRaw(bytes: Uint8Array, pid: number, comm: string): boolean {
    return this.#records.markRaw(bytes, pid, comm);
  }

  /** Frees everything, when no thread uses it any more. */
  async close(): Promise<void> {
    this.#detector.stop();
    this.#watch.stop();
    this.#events.end();
    await this.#process.obeyed();
    await this.#writers.snapshot.free();
  }

  /** There is a buffer for this cpu from now on, with or without memory. */
  addCpu(cpu: number): void {
    this.#buffers.of(cpu);
  }

  /** A thread started: it gets its buffer if any thread has one. */
  threadStarted(thread: TracedThread): void {
    this.taskPids.threadStarted(thread);
    this.addCpu(thread.cpu);
    this.#writers.addThread(thread);
    this.#events.addThread(thread);
  }

  /** What cpu `other` records is shown as that of `cpu`: it is the same thread. */
  joinCpus(cpu: number, other: number): void {
    this.#buffers.join(cpu, other);
  }

  /** A thread ended, wherever it was just then. */
  threadEnded(thread: TracedThread): void {
    this.taskPids.threadEnded(thread);
    this.#events.applyPids();
    this.#buffers.of(thread.cpu).thread.writerEnded();
  }

  #configure(change: Partial<TracerSettings>): Promise<void> {
    this.#process.tracer.configure(this.tracer, { ...this.tracer.settings, ...change });
    return this.#process.obeyed();
  }
}
