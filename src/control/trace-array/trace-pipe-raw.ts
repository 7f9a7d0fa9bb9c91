import { TraceError } from '../../base/errno.js';
import { DEFAULT_SUBBUF_BYTES } from '../../ring-buffer/index.js';
import type { FileHandle, OpenFlags, TraceFile } from '../tracefs/node.js';
import { pollPercent } from './buffer-files.js';
import type { TraceInstance } from './instance.js';
import type { CpuBuffer } from './thread-buffer.js';
import { hasRecords, waitForRecords } from './wait.js';

/** The size in stat: readers that splice need one, and any will do as long as it is never reached. */
const ENDLESS = 2 ** 40;

/** Bytes of a page before its first record: a read that has room for no more takes none (ring_buffer_read_page). */
const PAGE_HEADER = 16;

/** per_cpu/cpuN/trace_pipe_raw: whole sub-buffers; reading consumes them. */
class RawHandle implements FileHandle {
  readonly #instance: TraceInstance;
  /** The cpu's buffer, which exists once something was recorded. */
  readonly #buffers: () => readonly CpuBuffer[];
  readonly #flags: OpenFlags;
  readonly #closed: () => void;
  /** What is left of a page that was read in smaller pieces. */
  #rest: Uint8Array = new Uint8Array(0);

  constructor(instance: TraceInstance, buffers: () => readonly CpuBuffer[], flags: OpenFlags) {
    this.#instance = instance;
    this.#buffers = buffers;
    this.#flags = flags;
    this.#closed = instance.buffers.rawPipes.open();
  }

  async read(size: number, signal?: AbortSignal, nonblock = this.#flags.nonblock): Promise<Uint8Array> {
    for (;;) {
      const read = this.#take(size);
      if (read.length > 0 || size === 0) return read;
      if (size <= PAGE_HEADER && hasRecords(this.#buffers(), 0)) return read;
      if (nonblock) throw new TraceError('EAGAIN');
      await waitForRecords(this.#buffers(), signal);
    }
  }

  isReadable(): boolean {
    // With the option block, poll(2) returns at once and the read waits.
    if (this.#instance.options.block) return true;
    return this.#rest.length > 0 || hasRecords(this.#buffers(), this.#percent);
  }

  async untilReadable(signal: AbortSignal): Promise<void> {
    while (!this.isReadable()) await waitForRecords(this.#buffers(), signal, this.#percent);
  }

  write(): void {
    throw new TraceError('EINVAL', 'this file can only be read');
  }

  release(): void {
    this.#closed();
  }

  get #percent(): number {
    const [buffer] = this.#buffers();
    return buffer === undefined ? 0 : pollPercent(this.#instance.buffers, buffer.bytes);
  }

  #take(size: number): Uint8Array {
    if (this.#rest.length === 0 && size > PAGE_HEADER)
      this.#rest = this.#pages(Math.max(1, Math.floor(size / DEFAULT_SUBBUF_BYTES)));
    const part = this.#rest.subarray(0, size);
    this.#rest = this.#rest.subarray(part.length);
    return part;
  }

  #pages(most: number): Uint8Array {
    const reader = this.#buffers()[0]?.reader;
    const pages: Uint8Array[] = [];
    while (reader !== undefined && pages.length < most) {
      const page = new Uint8Array(DEFAULT_SUBBUF_BYTES);
      if (!reader.readPage(page)) break;
      pages.push(page);
    }
    return pages.length === 1 ? pages[0]! : Buffer.concat(pages);
  }
}

const rawFile = (instance: TraceInstance, buffers: () => readonly CpuBuffer[]): TraceFile => ({
  kind: 'file',
  mode: 0o440,
  size: ENDLESS,
  open: (flags) => new RawHandle(instance, buffers, flags),
});

/**
 * per_cpu/cpuN/trace_pipe_raw. A read takes what there is; poll(2) waits until so much of the buffer is full as pollPercent()
 * says.
 */
export const tracePipeRaw = (instance: TraceInstance, { cpu }: CpuBuffer): TraceFile =>
  rawFile(instance, () => instance.buffers.all(cpu));

/** per_cpu/cpuN/snapshot_raw: the same for the snapshot. */
export const snapshotRaw = (instance: TraceInstance, { cpu }: CpuBuffer): TraceFile =>
  rawFile(instance, () => instance.buffers.snapshots(cpu));
