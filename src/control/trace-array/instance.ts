import { TraceError } from '../../base/errno.js';
import type { TraceEvent } from '../../events/define.js';
import { FTRACE_EVENTS } from '../../events/ftrace-events.js';
import type { Trigger } from '../../events/trigger/parse-trigger.js';
import type { FunctionProbes } from '../../ftrace/commands/function-probes.js';
import type { FilterName, FunctionFilter } from '../../ftrace/function-filter.js';
import { type OptionFlags, type OptionName, traceOption } from '../../ftrace/options.js';
import { isLatencyTracer, type TracerName, tracerNamed } from '../../ftrace/tracers/tracers.js';
import { MARKS_OFF, type TracedThread } from '../../port/port.js';
import { DEFAULT_SUBBUF_BYTES, TRACE_CLOCKS, type TraceClock } from '../../ring-buffer/index.js';
import type { EventFile } from '../events/event-file.js';
import { type EventChange, InstanceEvents } from '../events/instance-events.js';
import { InstanceHists, type InstanceHistsNeeds } from '../events/instance-hists.js';
import { ThreadEventFiles } from '../events/thread-event-files.js';
import type { InstanceTracer, TracerSettings } from '../ftrace/instance-tracer.js';
import type { MaxTrace } from '../latency/max-trace.js';
import { DefinedEvents } from '../probes/defined-events.js';
import { ErrorLog } from '../tracefs/error-log.js';
import { InstanceBuffers } from './instance-buffers.js';
import { InstanceLatency } from './instance-latency.js';
import { InstanceMarks } from './instance-marks.js';
import type { InstanceNeeds } from './instance-needs.js';
import { InstancePids } from './instance-pids.js';
import { TracerOptions } from './tracer-options.js';

/** The options by which the lists of tasks follow what listed tasks start. */
const FORKS = ['function-fork', 'event-fork'] as const;
const isMark = ({ id }: TraceEvent): boolean => id === FTRACE_EVENTS.print.id;

/** What an instance begins with. */
export interface InstanceStart {
  /** Data bytes of each thread's buffer. */
  readonly bytes: number;
  /** The instance's InstanceSwitch, if threads have it already. */
  readonly words?: SharedArrayBuffer;
  /** What an instance has that is not the top level. */
  readonly below?: { readonly name: string; readonly top: TraceInstance };
}

/** The value of the flag `marks-off`. */
const marksOff = (options: OptionFlags): number =>
  (options.markers ? 0 : MARKS_OFF.markers) | (options.trace_printk ? 0 : MARKS_OFF.trace_printk);

/**
 * A set of buffers with its tracer, options and log (struct trace_array); the top level is one. Methods that change the program
 * resolve when every thread has obeyed.
 */
export class TraceInstance {
  /** The process, which all instances share. */
  readonly process: InstanceNeeds;
  /** The instance's folder in instances/; '' at the top. */
  readonly name: string;
  readonly errors = new ErrorLog();
  readonly buffers: InstanceBuffers;
  readonly marks: InstanceMarks;
  readonly latency: InstanceLatency;
  readonly events: InstanceEvents;
  readonly hists: InstanceHists;
  /** The events that files define, of all instances. */
  readonly defined: DefinedEvents;
  readonly taskPids: InstancePids;
  /** Who takes what its buffers have, alone, in words; undefined: nobody does. */
  recorder: string | undefined;
  readonly #tracer: InstanceTracer;
  readonly #tracerOptions = new TracerOptions();
  readonly #threadEvents: ThreadEventFiles;
  readonly #top: TraceInstance;
  #changing: Promise<void> = Promise.resolve();
  #isExpanded = false;

  constructor(process: InstanceNeeds, tracer: InstanceTracer, { bytes, words, below }: InstanceStart) {
    this.process = process;
    this.name = below?.name ?? '';
    this.#top = below?.top ?? this;
    this.#tracer = tracer;
    this.buffers = new InstanceBuffers(process, this.number, bytes, this.options.overwrite, words);
    this.marks = new InstanceMarks(process, { number: this.number, buffers: this.buffers, setOn: (on) => this.#setOn(on) });
    const { buffers, maximum } = this;
    this.latency = new InstanceLatency(process.threads, { maximum, buffers, records: this.marks.records });
    this.taskPids = new InstancePids(process, tracer, () => this.#threadEvents.applyPids());
    this.#threadEvents = new ThreadEventFiles(this.number, process.threads, process.eventWords, this.taskPids);
    this.events = new InstanceEvents(
      process,
      (changes) => this.#setEvents(changes),
      () => this.buffers.clear(),
    );
    this.defined = below?.top.defined ?? new DefinedEvents(process, (...refused) => this.#logError(...refused));
    this.hists = new InstanceHists(this.#histNeeds(), this.defined);
  }

  /** Whether it is the top level: some tracers, files and options are there only. */
  get isTop(): boolean {
    return this.name === '';
  }

  /** TOP_INSTANCE, or a number that no other instance ever has. */
  get number(): number {
    return this.#tracer.instance;
  }

  get tracer(): TracerName {
    return this.#tracer.settings.tracer;
  }

  get options(): OptionFlags {
    return this.#tracer.settings.options;
  }

  /** max_graph_depth, 0 = no limit. */
  get maxGraphDepth(): number {
    return this.#tracer.settings.maxDepth;
  }

  /** tracing_thresh, in nanoseconds: 64 bits. */
  get thresholdNs(): bigint {
    return this.#tracer.settings.threshold;
  }

  /** tracing_max_latency and what it keeps. */
  get maximum(): MaxTrace {
    return this.#tracer.maximum;
  }

  /** tracing_on, which is also 0 while the option pause-on-trace pauses recording. */
  get tracingOn(): boolean {
    return this.buffers.isRecording;
  }

  /**
   * Whether the buffers have their full size: memory is allocated only when something is recorded. The kernel has one flag for
   * all instances (ring_buffer_expanded).
   */
  get isExpanded(): boolean {
    return this.#top.#isExpanded;
  }

  /**
   * Changes the tracer and empties the buffers (tracing_set_tracer).
   * @param keepsRecords leaves what the old tracer has recorded in the buffers
   * @throws TraceError EBUSY while a pipe is open, or while the profiler is on
   */
  setTracer(tracer: TracerName, keepsRecords = false): Promise<void> {
    // One change at a time, for all writers: the next tracer must find what the previous one has changed (trace_types_lock).
    const changed = this.#changing.then(() => this.#changeTracer(tracer, keepsRecords));
    this.#changing = changed.catch(() => {});
    return changed;
  }

  async #changeTracer(tracer: TracerName, keepsRecords: boolean): Promise<void> {
    if (tracer === this.tracer) return;
    const { buffers } = this;
    if (buffers.pipes.reads() || buffers.rawPipes.reads()) throw new TraceError('EBUSY', 'a pipe is open');
    const wasTracing = this.tracer !== 'nop';
    // Threads record with the old tracer until the last of them has the new one; if there was no old one, nothing is lost.
    if (!wasTracing) buffers.clear();
    if (tracer === 'function_graph' && this.process.profiler.isOn) {
      await this.#changeTracer('nop', keepsRecords);
      throw new TraceError('EBUSY', 'the function profiler is on');
    }
    await this.#leave();
    await this.#enter(tracer);
    // The file trace shows its trace, so the memory of a snapshot is not needed while it runs.
    if (isLatencyTracer(tracer)) await buffers.freeSnapshot();
    const obeyed = this.#trace(tracer);
    if (tracer !== 'nop') this.#expand();
    await obeyed;
    if (wasTracing && !keepsRecords) buffers.clear();
  }

  #trace(tracer: TracerName): Promise<void> {
    if (tracer !== 'nop') this.buffers.use();
    const { maximum } = tracerNamed(tracer);
    if (maximum === undefined) this.maximum.free();
    else this.maximum.restart(maximum === 'trace' ? this.buffers.pages : 0, DEFAULT_SUBBUF_BYTES);
    const obeyed = this.#configure({ tracer });
    this.latency.update(this.tracer, this.options);
    return obeyed;
  }

  /** Restores what the previous tracer changed. */
  async #leave(): Promise<void> {
    await this.#takeThreshold(this.#tracerOptions.leaveThreshold(this.tracer, this.thresholdNs));
    await this.#takeOptions(this.#tracerOptions.leave(this.options));
  }

  async #enter(tracer: TracerName): Promise<void> {
    await this.#takeThreshold(this.#tracerOptions.enterThreshold(tracer, this.thresholdNs));
    await this.#takeOptions(this.#tracerOptions.enter(tracer, this.options));
  }

  async #takeThreshold(ns: bigint): Promise<void> {
    if (ns !== this.thresholdNs) await this.setThreshold(ns);
  }

  async #takeOptions(options: OptionFlags): Promise<void> {
    const before = this.options;
    const isSame = Object.entries(options).every(([name, on]) => before[name as OptionName] === on);
    if (isSame) return;
    const { process, buffers } = this;
    // At once: whoever changes another option meanwhile begins with these.
    this.#tracer.settings = { ...this.#tracer.settings, options };
    buffers.setOverwrite(options.overwrite);
    // The events that stack traces follow are then recorded by the threads themselves.
    if (options.stacktrace) buffers.use();
    await this.taskPids.look();
    if (options['patch-at-once'] !== before['patch-at-once'])
      process.port.flags.set('patch-at-once', options['patch-at-once'] ? 1 : 0);
    if (this.isTop) process.port.flags.set('marks-off', marksOff(options));
    const obeyed = this.#configure({});
    this.latency.update(this.tracer, this.options);
    if (FORKS.some((fork) => options[fork] !== before[fork])) this.taskPids.apply();
    if (options['async-context'] !== before['async-context']) process.setAsyncContext(options['async-context']);
    await obeyed;
  }

  #configure(change: Partial<TracerSettings>): Promise<void> {
    this.process.tracer.configure(this.#tracer, { ...this.#tracer.settings, ...change });
    return this.process.obeyed();
  }

  /**
   * Sets or clears an option.
   * @throws TraceError EINVAL if there is no such option, or if it has no meaning here; the latter is logged
   */
  async setOption(name: string, on: boolean, command = name): Promise<void> {
    const option = traceOption(name);
    if (option === undefined) throw new TraceError('EINVAL', `no option ${name}`);
    if (option.refused !== undefined && on !== option.value) {
      this.errors.log(this.process.now(), 'trace_options', option.refused, command, 0);
      throw new TraceError('EINVAL', `${name}: ${option.refused}`);
    }
    if (this.options[option.name as OptionName] === on) return;
    if (name === 'overwrite' && isLatencyTracer(this.tracer)) {
      throw new TraceError('EINVAL', `${this.tracer} needs the option overwrite`);
    }
    await this.#takeOptions({ ...this.options, [option.name]: on });
    if (this.isTop) this.process.cmdlines.isRecording = this.options['record-cmd'];
    if (name === 'display-graph' && isLatencyTracer(this.tracer)) this.#measureAnew();
  }

  /** The present maximum was recorded in another form. */
  #measureAnew(): void {
    this.maximum.nanoseconds = 0n;
    this.buffers.clear();
  }

  setMaxGraphDepth(maxDepth: number): Promise<void> {
    return this.#configure({ maxDepth });
  }

  setThreshold(threshold: bigint): Promise<void> {
    this.maximum.threshold = Number(threshold);
    this.latency.update(this.tracer, this.options);
    return this.#configure({ threshold });
  }

  /**
   * A write of the value that tracing_on already shows does nothing: tracing that is only paused cannot be turned off
   * (rb_simple_write).
   */
  setTracingOn(on: boolean): void {
    if (on !== this.tracingOn) this.#setOn(on);
  }

  #setOn(on: boolean): void {
    this.buffers.setOn(on);
    this.latency.update(this.tracer, this.options);
  }

  /** Resizes the buffer of one cpu, or of all (InstanceBuffers.resize). */
  async resize(cpu: number | undefined, bytes: number): Promise<void> {
    this.#expand();
    await this.buffers.resize(cpu, bytes);
    if (!isLatencyTracer(this.tracer)) return;
    // The trace of a latency must fit: threads get memory of the new size.
    this.maximum.resize(this.buffers.pages, DEFAULT_SUBBUF_BYTES);
    await this.#configure({});
  }

  /** The buffers got their memory because something was written to them. */
  #expand(): void {
    this.#top.#isExpanded = true;
  }

  /** The present filter, with the functions that were linked since it was set. */
  filter(which: FilterName): FunctionFilter {
    this.process.tracer.decode();
    return this.#tracer.filters.get(which);
  }

  setFilter(which: FilterName, filter: FunctionFilter): Promise<void> {
    this.process.tracer.setFilter(this.#tracer, which, filter);
    return this.process.obeyed();
  }

  /** The probes that the commands of set_ftrace_filter have set; changes take effect with `applyProbes`. */
  probes(): FunctionProbes {
    this.process.tracer.decode();
    return this.process.tracer.probes(this.#tracer);
  }

  applyProbes(): Promise<void> {
    // A probe switches its instance through the thread's buffer.
    if (this.probes().all.length > 0) this.buffers.use();
    this.process.tracer.patch();
    return this.process.obeyed();
  }

  /** Enables or disables events; from then on the buffers have their full size. */
  async enableEvents(files: readonly EventFile[], on: boolean): Promise<void> {
    this.#expand();
    await this.events.setEnabled(files, on);
  }

  /** Adds a trigger to an event; one that takes snapshots allocates their memory. */
  async addTrigger(file: EventFile, trigger: Trigger): Promise<void> {
    if (trigger.name === 'snapshot') await this.buffers.allocateSnapshot();
    await this.events.addTrigger(file, trigger);
  }

  /** Threads record these events so from now on. */
  #setEvents(changes: readonly EventChange[]): Promise<void> {
    const { probes, tracer, controlEvents, port } = this.process;
    if (changes.some(([, config]) => config !== undefined)) this.buffers.use();
    let haveProbes = false;
    for (const [event, config] of changes) {
      // A thread connects an event with the probes that it knows.
      if (event.takesFunctions === true) tracer.needAddresses(`${event.id} ${this.number}`, config !== undefined);
      if (probes.want(event, this.number, config !== undefined)) haveProbes = true;
      const isOwn = event.system === 'synthetic' || isMark(event) || port.reportsEvents === true;
      if (isOwn) controlEvents.configure(this.marks.events, event, config);
      // A mark is always recorded: only its triggers are wanted.
      this.#threadEvents.set(event, config && isMark(event) ? { ...config, isRecorded: false } : config);
    }
    if (haveProbes) tracer.patch();
    return this.process.obeyed();
  }

  /** Events that were first recorded since the last call. */
  newEvents(): readonly TraceEvent[] {
    return this.#threadEvents.newEvents().filter((event) => !isMark(event));
  }

  #histNeeds(): InstanceHistsNeeds {
    return {
      find: (system, name) => this.events.findWithTriggers(system, name),
      of: (event) => this.events.of(event),
      apply: (files) => this.events.apply(files),
      setClock: async (name) => {
        const clock: TraceClock | undefined = TRACE_CLOCKS.find((one) => one === name);
        if (clock === undefined) throw new TraceError('EINVAL', `no clock ${name}`);
        if (clock !== this.buffers.clock) await this.buffers.setClock(clock);
      },
      allocateSnapshot: () => this.buffers.allocateSnapshot(),
      logError: (...refused) => this.#logError(...refused),
    };
  }

  #logError(location: string, message: string, command: string, position: number): void {
    this.errors.log(this.process.now(), location, message, command, position);
  }

  addThread(thread: TracedThread): void {
    this.taskPids.threadStarted(thread);
    this.buffers.addThread(thread);
    this.#threadEvents.addThread(thread);
  }

  /** A thread ended, wherever it was just then. */
  removeThread(thread: TracedThread): void {
    this.taskPids.threadEnded(thread);
    this.buffers.removeThread(thread);
  }

  /** Ends everything, and frees the buffers when no thread uses them any more. */
  async close(): Promise<void> {
    const { contexts, tracer } = this.process;
    contexts.setPids(this.number, 'functions', undefined);
    contexts.setPids(this.number, 'events', undefined);
    tracer.removeInstance(this.#tracer);
    this.latency.end();
    this.#threadEvents.end();
    await this.process.obeyed();
    await this.buffers.freeSnapshot();
    this.events.end();
  }
}
