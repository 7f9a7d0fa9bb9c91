import { setTimeout as sleep } from 'node:timers/promises';
import { TraceError } from '../base/errno.js';
import type { TraceInstance } from '../core/instance.js';
import { ConsumedRecords } from '../output/record-cursor.js';
import { RecordMerge } from '../output/record-merge.js';
import { TracePrinter } from '../output/trace-printer.js';
import { TraceSeq } from '../output/trace-seq.js';
import type { FileHandle, OpenFlags, TraceFile } from './node.js';
import { traceView } from './trace-file.js';

/** How often a waiting reader looks for events; the writers tell nobody of single ones. */
const POLL_MS = 10;
/** Place of the reader of all cpus among the open pipes. */
const ALL_CPUS = -1;

/** Waits a moment. EINTR when the signal aborts it. */
export async function pause(signal: AbortSignal | undefined): Promise<void> {
  try {
    await sleep(POLL_MS, undefined, signal === undefined ? {} : { signal });
  } catch {
    throw new TraceError('EINTR');
  }
}

/**
 * trace_pipe: takes records out of the buffers as it prints them, and waits when there are none. It ends only when
 * something was read and tracing is off (tracing_wait_pipe).
 */
class PipeHandle implements FileHandle {
  readonly #instance: TraceInstance;
  readonly #flags: OpenFlags;
  readonly #cpu: number | undefined;
  readonly #seq = new TraceSeq();
  #printer: TracePrinter | undefined;
  #tracer = '';
  #merge = new RecordMerge([]);
  #cpus = 0;
  #rest: Uint8Array = new Uint8Array(0);
  #hasRead = false;

  constructor(instance: TraceInstance, flags: OpenFlags, cpu: number | undefined) {
    this.#instance = instance;
    this.#flags = flags;
    this.#cpu = cpu;
  }

  async read(size: number, signal?: AbortSignal): Promise<Uint8Array> {
    while (this.#rest.length === 0) {
      this.#print(size);
      if (this.#rest.length > 0) break;
      if (this.#hasRead && !this.#instance.tracingOn) return this.#rest;
      if (this.#flags.nonblock) throw new TraceError('EAGAIN');
      await pause(signal);
    }
    const part = this.#rest.subarray(0, size);
    this.#rest = this.#rest.subarray(part.length);
    this.#hasRead = true;
    return part;
  }

  write(): void {
    throw new TraceError('EINVAL', 'this file can only be read');
  }

  release(): void {
    this.#instance.openPipes.delete(this.#cpu ?? ALL_CPUS);
  }

  #print(size: number): void {
    this.#follow();
    while (this.#seq.length < size && this.#merge.take()) this.#printer?.print(this.#seq, this.#merge);
    this.#rest = this.#seq.take();
  }

  /** Takes in cpus that came since, and another tracer. Options hold as they are at each read. */
  #follow(): void {
    const buffers = this.#instance.buffers(this.#cpu).filter(({ reader }) => reader !== undefined);
    if (buffers.length !== this.#cpus) {
      this.#cpus = buffers.length;
      this.#merge = new RecordMerge(buffers.map(({ cpu, reader }) => new ConsumedRecords(cpu, reader!)));
    }
    if (this.#printer === undefined || this.#tracer !== this.#instance.tracer) {
      this.#tracer = this.#instance.tracer;
      this.#printer = new TracePrinter(traceView(this.#instance), { annotate: false });
    }
  }
}

/** trace_pipe, of one cpu or of all. EBUSY while somebody else has it open. */
export const tracePipe = (instance: TraceInstance, cpu?: number): TraceFile => ({
  kind: 'file',
  mode: 0o440,
  open(flags) {
    const place = cpu ?? ALL_CPUS;
    if (instance.openPipes.has(place)) throw new TraceError('EBUSY', 'another reader has it open');
    instance.openPipes.add(place);
    return new PipeHandle(instance, flags, cpu);
  },
});
