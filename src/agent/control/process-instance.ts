import type { FilterName, InstanceHost } from '../../core/host.js';
import { HwlatSettings } from '../../core/hwlat-settings.js';
import type { MaxTrace } from '../../core/max-trace.js';
import type { OptionFlags } from '../../core/options.js';
import type { PidFileName, PidList } from '../../core/pid-list.js';
import type { FunctionProbes } from '../../ftrace/commands/function-probes.js';
import type { FunctionFilter } from '../../ftrace/function-filter.js';
import {
  type ClockReading,
  clockReading,
  createInstanceSwitch,
  DEFAULT_SUBBUF_BYTES,
  InstanceSwitch,
  type TraceClock,
  traceClock,
} from '../../ring-buffer/index.js';
import { writeHwlat } from '../../tracers/hwlat/hwlat-record.js';
import type { GapSample } from '../../tracers/hwlat/sample-gaps.js';
import { isLatencyTracer } from '../../tracers/latency/latency-tracer.js';
import type { TracerName } from '../../tracers/tracer-config.js';
import { MAX_THREADS } from '../control-block.js';
import { writeMark, writeRawMark } from '../marker.js';
import type { AsyncContexts } from './async-contexts.js';
import { HwlatDetector } from './hwlat-detector.js';
import { InstancePids } from './instance-pids.js';
import { InstanceSnapshot } from './instance-snapshot.js';
import type { InstanceTracer, TracerSettings } from './instance-tracer.js';
import { type OwnCpu, OwnWriter } from './own-writer.js';
import type { ProcessTracer } from './process-tracer.js';
import type { Mover, ThreadBuffer } from './thread-buffer.js';
import { ThreadBuffers } from './thread-buffers.js';
import type { ThreadConnection } from './thread-connection.js';
import type { Threads } from './threads.js';

/** What an instance needs of the process. */
export interface InstanceProcess extends OwnCpu {
  readonly threads: Threads;
  readonly tracer: ProcessTracer;
  readonly contexts: AsyncContexts;
  /** High 32 bits of the process's addresses. */
  readonly high: number;
  /** The trace clock `counter`, which all threads share. */
  readonly counter: BigInt64Array;
  /** A task was seen. */
  saw(pid: number, comm: string): void;
  /** Async contexts are the tasks of every instance, or threads are. */
  setAsyncContext(on: boolean): void;
  /** Resolves when every thread has done what it was told. */
  obeyed(): Promise<void>;
}

/** One instance's share of the process: a buffer and a tracer on each thread. */
export class ProcessInstance implements InstanceHost {
  readonly tracer: InstanceTracer;
  readonly #process: InstanceProcess;
  readonly #words: SharedArrayBuffer;
  readonly #buffers: ThreadBuffers;
  readonly #snapshot: InstanceSnapshot;
  readonly #ownWriter: OwnWriter;
  readonly taskPids: InstancePids;
  readonly hwlat = new HwlatSettings(() => this.#detector.restart());
  readonly #detector = new HwlatDetector(this.hwlat, {
    threads: () => this.#process.threads.living.filter(({ cpu }) => !this.#isMasked(cpu)),
    request: () => ({
      widthUs: this.hwlat.width,
      thresholdUs: Math.floor(this.maximum.latency.threshold / 1000),
      max: this.maximum.latency.memory,
    }),
    record: (sample, tid, comm) => this.#recordGaps(sample, tid, comm),
  });
  #isMasked: (cpu: number) => boolean = () => false;
  /** Buffers take their memory once something may write to them. */
  #buffered = false;
  #clock: TraceClock = 'local';
  #reading: ClockReading | undefined;

  /**
   * @param bytes data bytes of each thread's buffer
   * @param words its InstanceSwitch, if threads have it already
   */
  constructor(process: InstanceProcess, tracer: InstanceTracer, bytes: number, words = createInstanceSwitch(MAX_THREADS)) {
    this.#process = process;
    this.tracer = tracer;
    this.#words = words;
    this.#buffers = new ThreadBuffers(bytes, tracer.settings.options.overwrite, new InstanceSwitch(words));
    this.taskPids = new InstancePids(process, tracer);
    this.#ownWriter = new OwnWriter(process, this.#buffers, () => this.#snapshot.giveOwnSpare());
    this.#snapshot = new InstanceSnapshot({
      number: tracer.instance,
      buffers: this.#buffers,
      threads: () => (this.#buffered ? process.threads.living : []),
      ownWriter: () => {
        const writer = this.#ownWriter.ringBuffer;
        return writer && { cpu: process.ownCpu!, writer };
      },
      obeyed: () => process.obeyed(),
    });
  }

  get maximum(): MaxTrace {
    return this.tracer.maximum;
  }

  get cpus(): readonly ThreadBuffer[] {
    this.#process.threads.look();
    return this.#buffers.all;
  }

  setTracer(tracer: TracerName): Promise<void> {
    if (tracer !== 'nop') this.#useBuffers();
    if (isLatencyTracer(tracer)) this.maximum.restart(this.#buffers.pages, DEFAULT_SUBBUF_BYTES);
    else this.maximum.free();
    if (tracer === 'hwlat') this.maximum.restart(0, DEFAULT_SUBBUF_BYTES);
    const obeyed = this.#configure({ tracer });
    this.#detect();
    return obeyed;
  }

  async setOptions(options: OptionFlags): Promise<void> {
    this.#buffers.setOverwrite(options.overwrite);
    // The events that stack traces follow are then recorded by the threads themselves.
    if (options.stacktrace) this.#useBuffers();
    const { settings } = this.tracer;
    await this.lookAtPids();
    const obeyed = this.#configure({ options });
    if (options['function-fork'] !== settings.options['function-fork']) this.taskPids.apply();
    if (options['async-context'] !== settings.options['async-context']) this.#process.setAsyncContext(options['async-context']);
    await obeyed;
  }

  setMaxGraphDepth(maxDepth: number): Promise<void> {
    return this.#configure({ maxDepth });
  }

  setThreshold(threshold: number): Promise<void> {
    this.maximum.latency.threshold = threshold;
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

  get probes(): FunctionProbes {
    this.#process.tracer.decode();
    return this.#process.tracer.probes(this.tracer);
  }

  /** No event can be switched yet: the records of the tracers are not. */
  findEvent(): undefined {}

  applyProbes(): Promise<void> {
    // A probe switches its instance through the thread's buffer.
    if (this.probes.all.length > 0) this.#useBuffers();
    this.#process.tracer.patch();
    return this.#process.obeyed();
  }

  pids(name: PidFileName): PidList {
    this.#process.threads.look();
    return this.taskPids.get(name);
  }

  async lookAtPids(): Promise<void> {
    if (!this.#process.contexts.isOn) return;
    this.#process.contexts.ask();
    // A thread that is blocked has not told: its tasks stand still, too.
    await this.#process.obeyed().catch(() => {});
  }

  setPids(name: PidFileName, list: PidList): Promise<void> {
    this.taskPids.set(name, list);
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
    return this.#snapshot.allocate();
  }

  freeSnapshot(): Promise<void> {
    return this.#snapshot.free();
  }

  async takeSnapshot(): Promise<void> {
    await this.#buffers.fitSnapshot((cpu) => this.#mover(cpu));
    await this.#snapshot.take();
  }

  /** hwlat samples while it is the tracer, and tracing is on. */
  #detect(): void {
    if (this.tracingOn && this.tracer.settings.tracer === 'hwlat') this.#detector.start();
    else this.#detector.stop();
  }

  #recordGaps(sample: GapSample, tid: number, comm: string): void {
    const writer = this.#ownWriter.get();
    if (writer === undefined) return;
    this.#process.saw(tid, comm);
    const { latency } = this.maximum;
    writeHwlat(writer, tid, latency.nextSequence(), sample, { count: 0, totalUs: 0 });
    latency.raise(Math.max(sample.inner, sample.outer) * 1000);
  }

  setClock(clock: TraceClock): Promise<void> {
    this.#clock = clock;
    this.#reading = clockReading(clock, this.#process.counter);
    const { instance } = this.tracer;
    if (this.#buffered) for (const thread of this.#process.threads.living) thread.post({ type: 'clock', instance, clock });
    this.#ownWriter.setReading(this.#reading);
    return this.#snapshot.renew();
  }

  now(): number {
    const ns = traceClock();
    return this.#reading?.(ns) ?? ns;
  }

  resize(cpu: number, bytes: number): Promise<void> {
    return this.#resize(cpu, bytes);
  }

  mark(text: Uint8Array, pid: number, comm: string): boolean {
    const writer = this.#ownWriter.get();
    if (writer === undefined) return false;
    this.#process.saw(pid, comm);
    return writeMark(writer, this.#process.high, text, pid);
  }

  markRaw(bytes: Uint8Array, pid: number, comm: string): boolean {
    const writer = this.#ownWriter.get();
    if (writer === undefined) return false;
    this.#process.saw(pid, comm);
    return writeRawMark(writer, bytes, pid);
  }

  /** Lets go of everything, when no thread has anything to do with it any more. */
  async close(): Promise<void> {
    this.#detector.stop();
    await this.#process.obeyed();
    await this.#snapshot.free();
  }

  /** There is a buffer for this cpu from now on, with or without memory. */
  addCpu(cpu: number): void {
    this.#buffers.of(cpu);
  }

  /** A thread started: it gets its buffer if any thread has one. */
  addThread(thread: ThreadConnection): void {
    this.addCpu(thread.cpu);
    if (this.#buffered) this.#giveBuffer(thread);
  }

  /** A thread ended, wherever it was just then. */
  threadEnded(thread: ThreadConnection): void {
    this.taskPids.threadEnded(thread);
    this.#buffers.of(thread.cpu).writerEnded();
    this.maximum.latency.threadEnded(thread.cpu);
  }

  #configure(change: Partial<TracerSettings>): Promise<void> {
    this.#process.tracer.configure(this.tracer, { ...this.tracer.settings, ...change });
    return this.#process.obeyed();
  }

  async #resize(cpu: number, bytes: number): Promise<void> {
    await this.#buffers.resize(cpu, bytes, (one) => this.#mover(one));
    if (!isLatencyTracer(this.tracer.settings.tracer)) return;
    // The trace of a latency must find room: threads get memory of the new size.
    this.maximum.resize(this.#buffers.pages, DEFAULT_SUBBUF_BYTES);
    await this.#configure({});
  }

  /** What has the writer of a cpu's buffer move to another memory; undefined when it has none. */
  #mover(cpu: number): Mover | undefined {
    const { instance } = this.tracer;
    const thread = this.#process.threads.get(cpu);
    if (thread !== undefined) return (buffer, half) => thread.send({ type: 'resize', instance, half, buffer });
    return cpu === this.#process.ownCpu ? this.#ownWriter.move : undefined;
  }

  #useBuffers(): void {
    if (this.#buffered) return;
    this.#buffered = true;
    for (const thread of this.#process.threads.living) this.#giveBuffer(thread);
  }

  #giveBuffer(thread: ThreadConnection): void {
    const { instance } = this.tracer;
    thread.post({ type: 'buffer', instance, buffer: this.#buffers.memory(thread.cpu), words: this.#words });
    if (this.#buffers.hasSnapshot) this.#snapshot.giveSpare(thread);
    if (this.#reading !== undefined) thread.post({ type: 'clock', instance, clock: this.#clock });
  }
}
