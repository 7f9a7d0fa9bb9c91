import { TraceError } from '../../base/errno.js';
import { ConsumedRecords } from '../../output/record-cursor.js';
import { RecordMerge } from '../../output/record-merge.js';
import { TracePrinter } from '../../output/trace-printer.js';
import { TraceSeq } from '../../output/trace-seq.js';
import type { TraceView } from '../../output/trace-view.js';
import type { FileHandle, OpenFlags, TraceFile } from '../tracefs/node.js';
import type { TraceInstance } from './instance.js';
import { traceView } from './trace-file.js';
import { hasRecords, waitForRecords } from './wait.js';

/**
 * trace_pipe: consumes the records that it prints, and waits if there are none. It ends only when something was read and
 * tracing is off (tracing_wait_pipe).
 */
class PipeHandle implements FileHandle {
  readonly #instance: TraceInstance;
  readonly #flags: OpenFlags;
  readonly #cpu: number | undefined;
  readonly #closed: () => void;
  readonly #seq = new TraceSeq();
  #printer: TracePrinter | undefined;
  #view: TraceView | undefined;
  #printedCpus = 0;
  #rest: Uint8Array = new Uint8Array(0);
  #hasRead = false;

  constructor(instance: TraceInstance, flags: OpenFlags, cpu: number | undefined) {
    this.#instance = instance;
    this.#flags = flags;
    this.#cpu = cpu;
    this.#closed = instance.buffers.pipes.open(cpu);
  }

  async read(size: number, signal?: AbortSignal, nonblock = this.#flags.nonblock): Promise<Uint8Array> {
    while (this.#rest.length === 0) {
      this.#print(size);
      if (this.#rest.length > 0) break;
      if (nonblock) throw new TraceError('EAGAIN');
      if (this.#hasRead && !this.#instance.tracingOn) return this.#rest;
      await waitForRecords(this.#instance.buffers.all(this.#cpu), signal);
    }
    const part = this.#rest.subarray(0, size);
    this.#rest = this.#rest.subarray(part.length);
    this.#hasRead = true;
    return part;
  }

  isReadable(): boolean {
    // With the option block, poll(2) returns at once and the read waits.
    if (this.#instance.options.block) return true;
    return this.#rest.length > 0 || hasRecords(this.#instance.buffers.all(this.#cpu), this.#percent);
  }

  async untilReadable(signal: AbortSignal): Promise<void> {
    while (!this.isReadable()) await waitForRecords(this.#instance.buffers.all(this.#cpu), signal, this.#percent);
  }

  write(): void {
    throw new TraceError('EINVAL', 'this file can only be read');
  }

  release(): void {
    this.#closed();
  }

  /** poll(2) of the pipe of all cpus reports any event (ring_buffer_poll_wait). */
  get #percent(): number {
    return this.#cpu === undefined ? 0 : this.#instance.buffers.percent;
  }

  /** The remaining records stay in the buffers: each read begins with the record that is next at that time. */
  #print(size: number): void {
    const readers = this.#instance.buffers.all(this.#cpu).filter(({ reader }) => reader !== undefined);
    const merge = new RecordMerge(readers.map(({ cpu, reader }) => new ConsumedRecords(cpu, reader!)));
    if (merge.isEmpty) return;
    const printer = this.#currentPrinter(readers.length);
    while (this.#seq.length < size && merge.take()) printer.print(this.#seq, merge);
    this.#rest = this.#seq.take();
  }

  /** The printer continues from read to read while the print settings are the same. */
  #currentPrinter(cpus: number): TracePrinter {
    const { tracer, options } = this.#instance;
    const isSame = tracer === this.#view?.tracer && options === this.#view.options && cpus === this.#printedCpus;
    // Getting the view also adds the symbols of newly loaded modules.
    const view = traceView(this.#instance);
    if (this.#printer === undefined || !isSame) {
      this.#printedCpus = cpus;
      this.#view = view;
      this.#printer = new TracePrinter(view, { annotate: false });
    }
    return this.#printer;
  }
}

/**
 * trace_pipe, of one cpu or of all. EBUSY while another reader has this pipe open; for the pipe of all cpus, while any pipe is
 * open (open_pipe_on_cpu).
 */
export const tracePipe = (instance: TraceInstance, cpu?: number): TraceFile => ({
  kind: 'file',
  mode: 0o440,
  open(flags) {
    if (instance.buffers.pipes.reads(cpu)) throw new TraceError('EBUSY', 'another reader has it open');
    return new PipeHandle(instance, flags, cpu);
  },
});
