import { TraceError } from '../../base/errno.js';
import { nextTurn } from '../../base/next-turn.js';
import { MAX_WRITERS } from '../../port/limits.js';
import type { Port, TracedThread, TracedThreads } from '../../port/port.js';
import {
  createInstanceSwitch,
  DEFAULT_SUBBUF_BYTES,
  InstanceSwitch,
  pagesFor,
  type TraceClock,
} from '../../ring-buffer/index.js';
import { OpenReaders } from '../tracefs/open-count.js';
import { BufferWriters, type WriterNeeds } from './buffer-writers.js';
import type { ControlWriter } from './control-writer.js';
import { type Cpumask, isMasked } from './cpumask.js';
import type { CpuBuffer, ThreadBuffer } from './thread-buffer.js';
import { ThreadBuffers } from './thread-buffers.js';

/** buffer_percent as long as nobody has written it. */
const DEFAULT_PERCENT = 50;
/** A buffer must fit into one SharedArrayBuffer with 32-bit offsets. */
const MAX_BUFFER_BYTES = 2 ** 31;
/** Pages of the smallest buffer; a snapshot without memory has this size, too. */
const FEWEST_PAGES = pagesFor(0, DEFAULT_SUBBUF_BYTES);

/** What an instance's buffers need of the process. */
export interface BufferNeeds extends WriterNeeds {
  readonly threads: Pick<TracedThreads, 'living' | 'get' | 'look'>;
  readonly port: WriterNeeds['port'] & Pick<Port, 'allocate' | 'largestBuffer'>;
}

/** The buffers of an instance with their snapshot, and who reads them (struct array_buffer). */
export class InstanceBuffers {
  readonly #process: BufferNeeds;
  readonly #rings: ThreadBuffers;
  readonly #writers: BufferWriters;
  #cpumask: Cpumask;
  #pauses = 0;
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

  /**
   * @param instance the instance's number
   * @param bytes data bytes of each thread's buffer
   * @param words its InstanceSwitch, if threads have it already
   */
  constructor(process: BufferNeeds, instance: number, bytes: number, overwrite: boolean, words?: SharedArrayBuffer) {
    const allocate = (size: number): SharedArrayBuffer => process.port.allocate(size);
    const memory = words ?? createInstanceSwitch(MAX_WRITERS, allocate);
    this.#process = process;
    this.#rings = new ThreadBuffers(bytes, overwrite, new InstanceSwitch(memory), allocate);
    this.#writers = new BufferWriters(process, instance, this.#rings, memory);
  }

  /** How full a buffer must be, in percent, before it wakes readers that wait for whole sub-buffers; 0: any event wakes them. */
  get percent(): number {
    return this.chosenPercent ?? DEFAULT_PERCENT;
  }

  /** One for each thread, in the order of `cpu`, or that of a cpu; a thread that has ended stays until its buffer was read. */
  all(cpu?: number): readonly ThreadBuffer[] {
    this.#process.threads.look();
    const all = this.#rings.all;
    return cpu === undefined ? all : all.filter((buffer) => buffer.cpu === cpu);
  }

  /** The snapshots of the buffers, as buffers. */
  snapshots(cpu?: number): readonly CpuBuffer[] {
    return this.all(cpu).map((buffer) => ({
      cpu: buffer.cpu,
      bytes: buffer.bytes,
      reader: buffer.snapshot,
      snapshot: undefined,
    }));
  }

  /** Something may be recorded from now on: the buffers allocate their memory. */
  use(): void {
    this.#writers.use();
  }

  /** The writer of what the control thread records itself. */
  get control(): ControlWriter {
    return this.#writers.control;
  }

  /** The cpu on which the control thread records: the lowest that tracing_cpumask allows. */
  get controlCpu(): number {
    return this.#rings.lowestAllowed() ?? 0;
  }

  /** Pages of the largest buffer, with the one outside the ring. */
  get pages(): number {
    return this.#rings.pages;
  }

  /** Whether they are switched on: the program and its functions may switch them too (tracingOff(), the traceoff command). */
  get isOn(): boolean {
    return this.#rings.instance.tracingOn;
  }

  setOn(on: boolean): void {
    this.#rings.instance.setOff('tracingOn', !on);
  }

  /** Whether they record: they are switched on, and nobody pauses them. */
  get isRecording(): boolean {
    return this.isOn && this.#pauses === 0;
  }

  /** Stops recording until the returned function was called (pause-on-trace). */
  pause(): () => void {
    this.#pauses++;
    this.#rings.instance.setOff('paused', true);
    return () => {
      this.#pauses--;
      if (this.#pauses === 0) this.#rings.instance.setOff('paused', false);
    };
  }

  setOverwrite(overwrite: boolean): void {
    this.#rings.setOverwrite(overwrite);
  }

  /** tracing_cpumask */
  get cpumask(): Cpumask {
    return this.#cpumask;
  }

  setCpumask(mask: Cpumask): void {
    this.#cpumask = mask;
    this.#rings.setMask((cpu) => isMasked(mask, cpu));
  }

  get clock(): TraceClock {
    return this.#writers.clock;
  }

  get isClockInNs(): boolean {
    return this.#writers.isClockInNs;
  }

  /** What the clock shows now. */
  now(): number {
    return this.#writers.now();
  }

  /** What the clock showed when the buffers were last cleared. */
  get timeStart(): number {
    return this.#timeStart;
  }

  /** Changes the clock and empties the buffers, because times before and after cannot be compared. */
  async setClock(clock: TraceClock): Promise<void> {
    this.clear();
    await this.#writers.setClock(clock);
    this.clear();
    for (const { reader } of this.snapshots()) reader?.clear();
  }

  /** Empties the buffers of one cpu, or of all. */
  clear(cpu?: number): void {
    for (const buffer of this.all(cpu)) buffer.reader?.clear();
    if (cpu === undefined) this.#timeStart = this.now();
  }

  /**
   * Resizes the buffer of one cpu, or of all, and its snapshot with it.
   * @throws TraceError ENOMEM for an impossible size, and while trace or the snapshot of this cpu or of all is open for
   *   reading; the buffer of one cpu may be set to its present size (ring_buffer_resize)
   */
  async resize(cpu: number | undefined, bytes: number): Promise<void> {
    if (bytes > MAX_BUFFER_BYTES) throw new TraceError('ENOMEM', 'larger than a buffer can be');
    const pages = pagesFor(bytes, DEFAULT_SUBBUF_BYTES);
    const isSame = cpu !== undefined && this.all(cpu).every((buffer) => pagesFor(buffer.bytes, DEFAULT_SUBBUF_BYTES) === pages);
    const isRead = this.traces.reads(cpu) || (this.hasSnapshot && this.openSnapshots.reads(cpu));
    if (isRead && !isSame) throw new TraceError('ENOMEM', 'trace or snapshot is open');
    if (cpu === undefined) await this.#checkSize(bytes);
    await this.#rings.resize(cpu ?? -1, bytes, this.#writers.movers);
  }

  /** What is too large for all buffers is refused before one has changed. @throws TraceError ENOMEM */
  async #checkSize(bytes: number): Promise<void> {
    const { port } = this.#process;
    if (port.largestBuffer === undefined || bytes <= port.largestBuffer().bytes) return;
    // Buffers that nobody has any more are given back when they are collected.
    globalThis.gc?.();
    await nextTurn();
    const { bytes: most, why } = port.largestBuffer();
    if (bytes > most) throw new TraceError('ENOMEM', `${Math.max(0, Math.floor(most / 1024))} KB at most: ${why}`);
  }

  /** Whether there is memory for a snapshot. */
  get hasSnapshot(): boolean {
    return this.#rings.hasSnapshot;
  }

  allocateSnapshot(): Promise<void> {
    return this.#writers.snapshot.allocate();
  }

  freeSnapshot(): Promise<void> {
    return this.#writers.snapshot.free();
  }

  /** Exchanges each buffer with its snapshot, if there is memory for that. */
  async exchange(): Promise<void> {
    await this.#rings.fitSnapshot(this.#writers.movers);
    await this.#writers.snapshot.take();
  }

  /**
   * Exchanges the buffers with the snapshot, which gets its memory if it has none.
   * @throws TraceError EBUSY while a snapshot that must grow is open for reading
   */
  async takeSnapshot(): Promise<void> {
    const isLarge = ({ bytes }: CpuBuffer): boolean => pagesFor(bytes, DEFAULT_SUBBUF_BYTES) > FEWEST_PAGES;
    const mustGrow = !this.hasSnapshot && this.all().some(isLarge);
    if (mustGrow && this.openSnapshots.reads()) throw new TraceError('EBUSY', 'the snapshot is open');
    await this.allocateSnapshot();
    await this.exchange();
    [this.traces, this.openSnapshots] = [this.openSnapshots, this.traces];
  }

  /** There is a buffer for this cpu from now on, with or without memory. */
  addCpu(cpu: number): void {
    this.#rings.of(cpu);
  }

  /** What cpu `other` records is shown as that of `cpu`: it is the same thread. */
  joinCpus(cpu: number, other: number): void {
    this.#rings.join(cpu, other);
  }

  /** A thread started: it gets its buffer if any thread has one. */
  addThread(thread: TracedThread): void {
    this.addCpu(thread.cpu);
    this.#writers.addThread(thread);
  }

  /** A thread ended, wherever it was just then. */
  removeThread({ cpu }: TracedThread): void {
    this.#rings.of(cpu).thread.writerEnded();
  }
}
