import { TraceError } from '../../base/errno.js';
import { HistNames } from '../../events/hist/index.js';
import type { Trigger } from '../../events/trigger/parse-trigger.js';
import { DEFAULT_OPTIONS, type OptionFlags, type OptionName, traceOption } from '../../ftrace/options.js';
import { isLatencyTracer, type TracerName } from '../../ftrace/tracers/tracers.js';
import { DEFAULT_SUBBUF_BYTES, pagesFor, TRACE_CLOCKS, type TraceClock } from '../../ring-buffer/index.js';
import { DynamicEvents } from '../events/dynamic-events.js';
import { dynamicSynthetics } from '../events/dynamic-synthetic.js';
import type { EventFile } from '../events/event-file.js';
import { InstanceEvents } from '../events/instance-events.js';
import { InstanceHists, type InstanceHistsNeeds, type SharedHists } from '../events/instance-hists.js';
import { dynamicUserEvents } from '../events/user-events.js';
import { ProbeEvents } from '../probes/probe-events.js';
import type { TracedProcess } from '../process/traced-process.js';
import { ErrorLog } from '../tracefs/error-log.js';
import { OpenReaders } from '../tracefs/open-readers.js';
import type { CpuBuffer } from './cpu-buffer.js';
import { type Cpumask, isMasked } from './cpumask.js';
import type { InstanceBackend } from './instance-backend.js';
import { TracerOptions } from './tracer-options.js';

/** A buffer must fit into one SharedArrayBuffer with 32-bit offsets. */
const MAX_BUFFER_BYTES = 2 ** 31;
/** Pages of the smallest buffer; a snapshot without memory has this size, too. */
const FEWEST_PAGES = pagesFor(0, DEFAULT_SUBBUF_BYTES);

/** buffer_percent as long as nobody has written it. */
const DEFAULT_PERCENT = 50;

/** A set of buffers with its tracer, options and log (struct trace_array); the top level is one. */
export class TraceInstance {
  /** The process, which all instances share. */
  readonly process: TracedProcess;
  /** The instance's own part of it. */
  readonly backend: InstanceBackend;
  /** Its folder in instances/; '' at the top. */
  readonly name: string;
  readonly errors = new ErrorLog();
  readonly events: InstanceEvents;
  readonly hists: InstanceHists;
  /** What the hist triggers of all instances share: among it the synthetic events. */
  readonly sharedHists: SharedHists;
  /** The events that files define, of all instances. */
  readonly dynamicEvents: DynamicEvents;
  /** Those of them that probes are. */
  readonly probeEvents: ProbeEvents;
  /** Who takes what its buffers have, alone, in words; undefined: nobody does. */
  recorder: string | undefined;
  readonly #tracerOptions = new TracerOptions();
  #changing: Promise<void> = Promise.resolve();
  #tracer: TracerName = 'nop';
  #options: OptionFlags = DEFAULT_OPTIONS;
  #maxGraphDepth = 0;
  #thresholdNs = 0n;
  #clock: TraceClock = 'local';
  readonly #top: TraceInstance;
  #isExpanded = false;
  #pauses = 0;
  #cpumask: Cpumask;
  #timeStart = 0;
  /** The open readers of trace_pipe. */
  readonly pipes = new OpenReaders();
  /** The open readers of trace_pipe_raw and snapshot_raw. */
  readonly rawPipes = new OpenReaders();
  /**
   * The open readers of trace, and those of snapshot. Readers stay with the buffer that they opened; a snapshot exchanges the
   * buffers.
   */
  traces = new OpenReaders();
  openSnapshots = new OpenReaders();
  /** buffer_percent, if somebody has written it. */
  chosenPercent: number | undefined;

  /** How full a buffer must be, in percent, before it wakes readers that wait for whole sub-buffers; 0: any event wakes them. */
  get bufferPercent(): number {
    return this.chosenPercent ?? DEFAULT_PERCENT;
  }

  /** @param below for an instance that is not the top level: its name, and the top level, whose options it begins with */
  constructor(
    process: TracedProcess,
    backend: InstanceBackend = process.top,
    below?: { readonly name: string; readonly top: TraceInstance },
  ) {
    this.process = process;
    this.backend = backend;
    this.events = new InstanceEvents(process, backend, () => this.clear());
    this.dynamicEvents = below?.top.dynamicEvents ?? new DynamicEvents(() => dynamicUserEvents(this.process.events));
    this.sharedHists = below?.top.sharedHists ?? this.#shareHists();
    this.probeEvents = below?.top.probeEvents ?? this.#shareProbes();
    this.hists = new InstanceHists(this.#histNeeds(), this.sharedHists);
    this.name = below?.name ?? '';
    this.#top = below?.top ?? this;
    if (below !== undefined) this.#options = { ...below.top.options, 'event-fork': false, 'function-fork': false };
  }

  /** Whether it is the top level: some tracers, files and options are there only. */
  get isTop(): boolean {
    return this.name === '';
  }

  get tracer(): TracerName {
    return this.#tracer;
  }

  get options(): OptionFlags {
    return this.#options;
  }

  /** tracing_on, which is also 0 while the option pause-on-trace pauses recording. */
  get tracingOn(): boolean {
    return this.backend.tracingOn && this.#pauses === 0;
  }

  get maxGraphDepth(): number {
    return this.#maxGraphDepth;
  }

  /** tracing_thresh, in nanoseconds: 64 bits. */
  get thresholdNs(): bigint {
    return this.#thresholdNs;
  }

  get clock(): TraceClock {
    return this.#clock;
  }

  /**
   * Whether the buffers have their full size: memory is allocated only when something is recorded. The kernel has one flag for
   * all instances (ring_buffer_expanded).
   */
  get isExpanded(): boolean {
    return this.#top.#isExpanded;
  }

  /** What the instance's clock showed when the buffers were last cleared. */
  get timeStart(): number {
    return this.#timeStart;
  }

  /**
   * Changes the tracer and empties the buffers (tracing_set_tracer).
   * @throws TraceError EBUSY while a pipe is open, or while the profiler is on
   */
  setTracer(tracer: TracerName): Promise<void> {
    // One change at a time, for all writers: the next tracer must find what the previous one has changed (trace_types_lock).
    const changed = this.#changing.then(() => this.#changeTracer(tracer));
    this.#changing = changed.catch(() => {});
    return changed;
  }

  async #changeTracer(tracer: TracerName): Promise<void> {
    if (tracer === this.#tracer) return;
    if (this.pipes.reads() || this.rawPipes.reads()) throw new TraceError('EBUSY', 'a pipe is open');
    const wasTracing = this.#tracer !== 'nop';
    // Threads record with the old tracer until the last of them has the new one; if there was no old one, nothing is lost.
    if (!wasTracing) this.clear();
    if (tracer === 'function_graph' && this.process.profiler.isOn) {
      await this.#changeTracer('nop');
      throw new TraceError('EBUSY', 'the function profiler is on');
    }
    await this.#leave();
    await this.#enter(tracer);
    // The file trace shows its trace, so the memory of a snapshot is not needed while it runs.
    if (isLatencyTracer(tracer)) await this.backend.freeSnapshot();
    const obeyed = this.backend.setTracer(tracer);
    this.#tracer = tracer;
    if (tracer !== 'nop') this.#expand();
    await obeyed;
    if (wasTracing) this.clear();
  }

  /** Restores what the previous tracer changed. */
  async #leave(): Promise<void> {
    await this.#takeThreshold(this.#tracerOptions.leaveThreshold(this.#tracer, this.#thresholdNs));
    await this.#takeOptions(this.#tracerOptions.leave(this.#options));
  }

  async #enter(tracer: TracerName): Promise<void> {
    await this.#takeThreshold(this.#tracerOptions.enterThreshold(tracer, this.#thresholdNs));
    await this.#takeOptions(this.#tracerOptions.enter(tracer, this.#options));
  }

  async #takeThreshold(ns: bigint): Promise<void> {
    if (ns !== this.#thresholdNs) await this.setThreshold(ns);
  }

  async #takeOptions(options: OptionFlags): Promise<void> {
    const isSame = Object.entries(options).every(([name, on]) => this.#options[name as OptionName] === on);
    if (isSame) return;
    this.#options = options;
    await this.backend.setOptions(options);
  }

  /** Enables or disables events; from then on the buffers have their full size. */
  async enableEvents(files: readonly EventFile[], on: boolean): Promise<void> {
    this.#expand();
    await this.events.setEnabled(files, on);
  }

  #shareHists(): SharedHists {
    const { events } = this.process;
    const synthetic = dynamicSynthetics(events, this.dynamicEvents, (...refused) => this.#logError(...refused));
    return { names: new HistNames(), synthetic };
  }

  #shareProbes(): ProbeEvents {
    const { dynamicEvents } = this;
    return new ProbeEvents(this.process, { dynamicEvents, logError: (...refused) => this.#logError(...refused) });
  }

  #histNeeds(): InstanceHistsNeeds {
    return {
      find: (system, name) => this.events.findWithTriggers(system, name),
      of: (event) => this.events.of(event),
      apply: (files) => this.events.apply(files),
      setClock: async (name) => {
        const clock = TRACE_CLOCKS.find((one) => one === name);
        if (clock === undefined) throw new TraceError('EINVAL', `no clock ${name}`);
        if (clock !== this.#clock) await this.setClock(clock);
      },
      allocateSnapshot: () => this.backend.allocateSnapshot(),
      logError: (...refused) => this.#logError(...refused),
    };
  }

  #logError(location: string, message: string, command: string, position: number): void {
    this.errors.log(this.process.now(), location, message, command, position);
  }

  /** Adds a trigger to an event; one that takes snapshots allocates their memory. */
  async addTrigger(file: EventFile, trigger: Trigger): Promise<void> {
    if (trigger.name === 'snapshot') await this.backend.allocateSnapshot();
    await this.events.addTrigger(file, trigger);
  }

  /** tracing_cpumask */
  get cpumask(): Cpumask {
    return this.#cpumask;
  }

  setCpumask(mask: Cpumask): void {
    this.#cpumask = mask;
    this.backend.setMask((cpu) => isMasked(mask, cpu));
  }

  /**
   * A write of the value that tracing_on already shows does nothing: tracing that is only paused cannot be turned off
   * (rb_simple_write).
   */
  setTracingOn(on: boolean): void {
    if (on !== this.tracingOn) this.backend.setTracingOn(on);
  }

  /** Stops recording until the returned function was called (pause-on-trace). */
  pause(): () => void {
    this.#pauses++;
    this.backend.setPaused(true);
    return () => {
      this.#pauses--;
      if (this.#pauses === 0) this.backend.setPaused(false);
    };
  }

  async setMaxGraphDepth(depth: number): Promise<void> {
    this.#maxGraphDepth = depth;
    await this.backend.setMaxGraphDepth(depth);
  }

  async setThreshold(ns: bigint): Promise<void> {
    this.#thresholdNs = ns;
    await this.backend.setThreshold(Number(ns));
  }

  /** Changes the clock and empties the buffers, because times before and after cannot be compared. */
  async setClock(clock: TraceClock): Promise<void> {
    this.clear();
    const obeyed = this.backend.setClock(clock);
    this.#clock = clock;
    await obeyed;
    this.clear();
    for (const { reader } of this.snapshots()) reader?.clear();
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
    if (this.#options[option.name as OptionName] === on) return;
    if (name === 'overwrite' && isLatencyTracer(this.#tracer)) {
      throw new TraceError('EINVAL', `${this.#tracer} needs the option overwrite`);
    }
    await this.#takeOptions({ ...this.#options, [option.name]: on });
    if (this.isTop) this.process.cmdlines.isRecording = this.#options['record-cmd'];
    if (name === 'display-graph' && isLatencyTracer(this.#tracer)) this.#measureAnew();
  }

  /** The present maximum was recorded in another form. */
  #measureAnew(): void {
    this.backend.maximum.nanoseconds = 0n;
    this.clear();
  }

  /**
   * Resizes the buffer of one cpu, or of all, and its snapshot with it.
   * @throws TraceError ENOMEM for an impossible size, and while trace or the snapshot of this cpu or of all is open for
   *   reading; the buffer of one cpu may be set to its present size (ring_buffer_resize)
   */
  async resize(cpu: number | undefined, bytes: number): Promise<void> {
    this.#expand();
    if (bytes > MAX_BUFFER_BYTES) throw new TraceError('ENOMEM', 'larger than a buffer can be');
    const pages = pagesFor(bytes, DEFAULT_SUBBUF_BYTES);
    const isSame =
      cpu !== undefined && this.buffers(cpu).every((buffer) => pagesFor(buffer.bytes, DEFAULT_SUBBUF_BYTES) === pages);
    const isRead = this.traces.reads(cpu) || (this.backend.hasSnapshot && this.openSnapshots.reads(cpu));
    if (isRead && !isSame) throw new TraceError('ENOMEM', 'trace or snapshot is open');
    await this.backend.resize(cpu ?? -1, bytes);
  }

  /**
   * Exchanges the buffers with the snapshot, which gets its memory if it has none.
   * @throws TraceError EBUSY while a snapshot that must grow is open for reading
   */
  async takeSnapshot(): Promise<void> {
    const mustGrow =
      !this.backend.hasSnapshot && this.buffers().some(({ bytes }) => pagesFor(bytes, DEFAULT_SUBBUF_BYTES) > FEWEST_PAGES);
    if (mustGrow && this.openSnapshots.reads()) throw new TraceError('EBUSY', 'the snapshot is open');
    await this.backend.allocateSnapshot();
    await this.backend.takeSnapshot();
    [this.traces, this.openSnapshots] = [this.openSnapshots, this.traces];
  }

  /** Empties the buffers of one cpu, or of all. */
  clear(cpu?: number): void {
    for (const buffer of this.buffers(cpu)) buffer.reader?.clear();
    if (cpu === undefined) this.#timeStart = this.backend.now();
  }

  /** The snapshots of the buffers, as buffers. */
  snapshots(cpu?: number): readonly CpuBuffer[] {
    return this.buffers(cpu).map(({ cpu, bytes, snapshot }) => ({ cpu, bytes, reader: snapshot, snapshot: undefined }));
  }

  buffers(cpu?: number): readonly CpuBuffer[] {
    const all = this.backend.cpus();
    return cpu === undefined ? all : all.filter((buffer) => buffer.cpu === cpu);
  }

  /** The buffers got their memory because something was written to them. */
  #expand(): void {
    this.#top.#isExpanded = true;
  }
}
