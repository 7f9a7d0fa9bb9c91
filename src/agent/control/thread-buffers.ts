import { DEFAULT_SUBBUF_BYTES, pagesFor } from '../../ring-buffer/index.js';
import { type Mover, ThreadBuffer } from './thread-buffer.js';

/** The ring buffers of the process, one a cpu, and what holds for all of them. */
export class ThreadBuffers {
  readonly #byCpu = new Map<number, ThreadBuffer>();
  /** Data bytes of buffers that are yet to come. */
  #bytes: number;
  #overwrite: boolean;
  #tracingOn = true;

  constructor(bytes: number, overwrite: boolean) {
    this.#bytes = bytes;
    this.#overwrite = overwrite;
  }

  /** By cpu. */
  get all(): readonly ThreadBuffer[] {
    return [...this.#byCpu.values()].sort((a, b) => a.cpu - b.cpu);
  }

  /** Pages of the largest buffer, with the one outside the ring. */
  get pages(): number {
    const bytes = this.all.reduce((most, buffer) => Math.max(most, buffer.bytes), this.#bytes);
    return pagesFor(bytes, DEFAULT_SUBBUF_BYTES) + 1;
  }

  /** The buffer of a cpu, from its first thread on; it may have no memory. */
  of(cpu: number): ThreadBuffer {
    let buffer = this.#byCpu.get(cpu);
    if (buffer === undefined) {
      buffer = new ThreadBuffer(cpu, this.#bytes);
      this.#byCpu.set(cpu, buffer);
    }
    return buffer;
  }

  /** The memory of a cpu's buffer, made now if there was none. */
  memory(cpu: number): SharedArrayBuffer {
    return this.of(cpu).memory({ overwrite: this.#overwrite, tracingOn: this.#tracingOn });
  }

  setOverwrite(on: boolean): void {
    this.#overwrite = on;
    for (const { reader } of this.#byCpu.values()) if (reader !== undefined) reader.overwrite = on;
  }

  setTracingOn(on: boolean): void {
    this.#tracingOn = on;
    for (const { reader } of this.#byCpu.values()) reader?.setDisabled('tracingOn', !on);
  }

  /**
   * Gives the buffer of one cpu, or of all and of those to come with cpu = -1, another size.
   * @param moverOf undefined for a cpu that nobody writes to
   */
  async resize(cpu: number, bytes: number, moverOf: (cpu: number) => Mover | undefined): Promise<void> {
    if (cpu < 0) this.#bytes = bytes;
    const resized = this.all.filter((buffer) => cpu < 0 || buffer.cpu === cpu);
    await Promise.all(resized.map((buffer) => buffer.resize(bytes, moverOf(buffer.cpu))));
  }
}
