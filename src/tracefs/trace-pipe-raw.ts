import { TraceError } from '../base/errno.js';
import type { CpuBuffer, InstanceHost } from '../core/host.js';
import { DEFAULT_SUBBUF_BYTES } from '../ring-buffer/index.js';
import type { FileHandle, OpenFlags, TraceFile } from './node.js';
import { waitForRecords } from './wait.js';

/** What stat shows: readers that splice need a size, and do not care which (as long as it is never reached). */
const ENDLESS = 2 ** 40;

/** per_cpu/cpuN/trace_pipe_raw: whole sub-buffers, taken out of the buffer as they are read. */
class RawHandle implements FileHandle {
  readonly #host: InstanceHost;
  readonly #cpu: number;
  readonly #flags: OpenFlags;
  /** What is left of a page that was read in smaller pieces. */
  #rest: Uint8Array = new Uint8Array(0);

  constructor(host: InstanceHost, cpu: number, flags: OpenFlags) {
    this.#host = host;
    this.#cpu = cpu;
    this.#flags = flags;
  }

  async read(size: number, signal?: AbortSignal, nonblock = this.#flags.nonblock): Promise<Uint8Array> {
    for (;;) {
      const read = this.#take(size);
      if (read.length > 0 || size === 0) return read;
      if (nonblock) throw new TraceError('EAGAIN');
      await waitForRecords(this.#buffers(), signal);
    }
  }

  isReadable(): boolean {
    return this.#rest.length > 0 || this.#buffers().some(({ reader }) => reader?.isEmpty() === false);
  }

  async untilReadable(signal: AbortSignal): Promise<void> {
    while (!this.isReadable()) await waitForRecords(this.#buffers(), signal);
  }

  write(): void {
    throw new TraceError('EINVAL', 'this file can only be read');
  }

  release(): void {}

  #take(size: number): Uint8Array {
    if (this.#rest.length === 0) this.#rest = this.#pages(Math.max(1, Math.floor(size / DEFAULT_SUBBUF_BYTES)));
    const part = this.#rest.subarray(0, size);
    this.#rest = this.#rest.subarray(part.length);
    return part;
  }

  /** The cpu's buffer, which is there once something was to be recorded. */
  #buffers(): readonly CpuBuffer[] {
    return this.#host.cpus.filter(({ cpu }) => cpu === this.#cpu);
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

/** per_cpu/cpuN/trace_pipe_raw. */
export const tracePipeRaw = (host: InstanceHost, buffer: CpuBuffer): TraceFile => ({
  kind: 'file',
  mode: 0o440,
  size: ENDLESS,
  open: (flags) => new RawHandle(host, buffer.cpu, flags),
});
