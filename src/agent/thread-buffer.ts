import {
  createRingBuffer,
  DEFAULT_SUBBUF_BYTES,
  moveRing,
  pagesFor,
  RingBufferReader,
  traceClock,
  waitForEvents,
} from '../ring-buffer/index.js';
import type { BufferStats, CpuBuffer, PageSource } from '../tracefs/host.js';
import { snapshotPages } from './snapshot-pages.js';

const NO_PAGES: PageSource = () => undefined;

/** How the buffers of all threads are made. */
export interface BufferSettings {
  readonly overwrite: boolean;
  readonly tracingOn: boolean;
}

/**
 * The ring buffer of one cpu, on its readers' side. It takes no memory before it is needed, and outlives its thread:
 * the next thread on the cpu writes on into it.
 */
export class ThreadBuffer implements CpuBuffer {
  readonly cpu: number;
  #bytes: number;
  #reader: RingBufferReader | undefined;

  constructor(cpu: number, bytes: number) {
    this.cpu = cpu;
    this.#bytes = bytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** The memory, made now if there was none. */
  memory({ overwrite, tracingOn }: BufferSettings): SharedArrayBuffer {
    this.#reader ??= new RingBufferReader(
      createRingBuffer(this.#bytes, DEFAULT_SUBBUF_BYTES, { overwrite, recording: tracingOn }),
    );
    return this.#reader.memory;
  }

  /** Undefined before the first call of `memory`. */
  get reader(): RingBufferReader | undefined {
    return this.#reader;
  }

  snapshot(): PageSource {
    return this.#reader === undefined ? NO_PAGES : snapshotPages(this.#reader.snapshot());
  }

  consume(): Uint8Array | undefined {
    return this.#readPage(false);
  }

  /** The next page that the writer has left. */
  consumeFull(): Uint8Array | undefined {
    return this.#readPage(true);
  }

  unread(): number {
    return this.#reader === undefined || this.#reader.isEmpty() ? 0 : this.stats().bytes;
  }

  async wait(signal?: AbortSignal): Promise<void> {
    await waitForEvents(this.#reader === undefined ? [] : [this.#reader], 0, signal);
  }

  stats(): BufferStats {
    const now = traceClock();
    if (this.#reader === undefined) return { ...NO_STATS, now };
    const { oldestEventTs, nowTs, ...counts } = this.#reader.stats(now);
    return { ...counts, oldestEvent: oldestEventTs, now: nowTs };
  }

  reset(): void {
    this.#reader?.clear();
  }

  /**
   * Gives the buffer another size.
   * @param move has the cpu's thread move to the memory that it is given; undefined when there is no thread
   */
  async resize(bytes: number, move?: (memory: SharedArrayBuffer) => Promise<void>): Promise<void> {
    if (pagesFor(bytes, DEFAULT_SUBBUF_BYTES) === pagesFor(this.#bytes, DEFAULT_SUBBUF_BYTES)) return;
    const reader = this.#reader;
    if (reader !== undefined) {
      const target = createRingBuffer(bytes, DEFAULT_SUBBUF_BYTES);
      reader.expectMove(target);
      if (move === undefined) moveRing(reader.memory, target);
      else await move(target);
    }
    this.#bytes = bytes;
  }

  #readPage(full: boolean): Uint8Array | undefined {
    const page = new Uint8Array(DEFAULT_SUBBUF_BYTES);
    return this.#reader?.readPage(page, full) ? page : undefined;
  }
}

const NO_STATS: BufferStats = {
  entries: 0,
  overrun: 0,
  commitOverrun: 0,
  bytes: 0,
  oldestEvent: 0,
  now: 0,
  droppedEvents: 0,
  readEvents: 0,
};
