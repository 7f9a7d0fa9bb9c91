import type { CpuBuffer } from '../../core/host.js';
import { createRingBuffer, DEFAULT_SUBBUF_BYTES, moveRing, pagesFor, RingBufferReader } from '../../ring-buffer/index.js';

/** Has the thread on a cpu move its writer to another memory. */
export type Mover = (memory: SharedArrayBuffer) => Promise<void>;

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

  /** Undefined before the first call of `memory`. */
  get reader(): RingBufferReader | undefined {
    return this.#reader;
  }

  /** The memory, made now if there was none. */
  memory({ overwrite, tracingOn }: BufferSettings): SharedArrayBuffer {
    this.#reader ??= new RingBufferReader(
      createRingBuffer(this.#bytes, DEFAULT_SUBBUF_BYTES, { overwrite, recording: tracingOn }),
    );
    return this.#reader.memory;
  }

  /**
   * Gives the buffer another size.
   * @param move has the cpu's thread move to the memory that it is given; undefined when there is no thread
   */
  async resize(bytes: number, move?: Mover): Promise<void> {
    const reader = this.#reader;
    if (reader !== undefined && pagesFor(bytes, DEFAULT_SUBBUF_BYTES) !== pagesFor(this.#bytes, DEFAULT_SUBBUF_BYTES)) {
      const target = createRingBuffer(bytes, DEFAULT_SUBBUF_BYTES);
      reader.expectMove(target);
      if (move === undefined) moveRing(reader.memory, target);
      else await move(target);
    }
    this.#bytes = bytes;
  }
}
