import { type AllocateRing, allocateRing, DEFAULT_SUBBUF_BYTES, type InstanceSwitch, pagesFor } from '../../ring-buffer/index.js';
import type { BufferSettings, Mover } from './ring-halves.js';
import { ThreadBuffer } from './thread-buffer.js';

/** Makes a writer of a cpu move; undefined if there is none. */
export type MoverOf = (cpu: number) => Mover | undefined;
/** What moves the rings of the two kinds of writers. */
export interface Movers {
  readonly thread: MoverOf;
  readonly control: MoverOf;
}

/** The ring buffers of an instance, one for each cpu, and their common settings. */
export class ThreadBuffers {
  readonly instance: InstanceSwitch;
  readonly #allocate: AllocateRing;
  readonly #byCpu = new Map<number, ThreadBuffer>();
  /** Data bytes of buffers that are created later. */
  #bytes: number;
  #settings: BufferSettings;
  #hasSnapshot = false;

  /** @param allocate gives memory that the program's threads can write to */
  constructor(bytes: number, overwrite: boolean, instance: InstanceSwitch, allocate = allocateRing) {
    this.instance = instance;
    this.#allocate = allocate;
    this.#bytes = bytes;
    this.#settings = { overwrite, isMasked: () => false };
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

  /** Whether there is memory for a snapshot, or will be with each buffer's own. */
  get hasSnapshot(): boolean {
    return this.#hasSnapshot;
  }

  /** The buffer of a cpu, from its first thread on; it may have no memory. */
  of(cpu: number): ThreadBuffer {
    let buffer = this.#byCpu.get(cpu);
    if (buffer === undefined) {
      buffer = new ThreadBuffer(cpu, this.#bytes, this.instance, this.#allocate);
      this.#byCpu.set(cpu, buffer);
    }
    return buffer;
  }

  /** What cpu `other` records is shown as that of `cpu`: it is the same thread. */
  join(cpu: number, other: number): void {
    this.of(cpu).join(this.of(other));
  }

  /** The lowest cpu that tracing_cpumask allows; undefined when it allows none. */
  lowestAllowed(): number | undefined {
    if (this.#byCpu.size === 0) this.of(0);
    return this.all.find(({ cpu }) => !this.#settings.isMasked(cpu))?.cpu;
  }

  /** The memory of the ring of a cpu's thread, allocated now if there was none. */
  memory(cpu: number): SharedArrayBuffer {
    return this.of(cpu).thread.memory(this.#settings);
  }

  /** Memory of the control thread's ring. */
  controlMemory(cpu: number): SharedArrayBuffer {
    return this.of(cpu).control.memory(this.#settings);
  }

  /** The memory for a snapshot of the ring of a cpu's thread; undefined while none may be taken. */
  spare(cpu: number): SharedArrayBuffer | undefined {
    return this.#hasSnapshot ? this.of(cpu).thread.spare(this.#settings) : undefined;
  }

  /** Spare memory of the control thread's ring. */
  controlSpare(cpu: number): SharedArrayBuffer | undefined {
    return this.#hasSnapshot ? this.of(cpu).control.spare(this.#settings) : undefined;
  }

  setOverwrite(overwrite: boolean): void {
    this.#settings = { ...this.#settings, overwrite };
    for (const { readers } of this.#byCpu.values()) for (const reader of readers) reader.overwrite = overwrite;
  }

  /** Stops recording on the cpus that `isMasked` names. */
  setMask(isMasked: (cpu: number) => boolean): void {
    this.#settings = { ...this.#settings, isMasked };
    for (const { cpu, readers } of this.#byCpu.values()) {
      for (const reader of readers) reader.setDisabled('cpumask', isMasked(cpu));
    }
  }

  /** Gives the buffer of one cpu, or of all and of those to come with cpu = -1, another size. */
  async resize(cpu: number, bytes: number, { thread, control }: Movers): Promise<void> {
    if (cpu < 0) this.#bytes = bytes;
    const resized = this.all.filter((buffer) => cpu < 0 || buffer.cpu === cpu);
    await Promise.all(resized.map((buffer) => buffer.resize(bytes, thread(buffer.cpu), control(buffer.cpu))));
  }

  /** From here on, every buffer with memory has spare memory too. */
  allocateSnapshot(): void {
    this.#hasSnapshot = true;
  }

  async fitSnapshot({ thread, control }: Movers): Promise<void> {
    await Promise.all(this.all.map((buffer) => buffer.fitSnapshot(thread(buffer.cpu), control(buffer.cpu))));
  }

  /** No writer gets spare memory any more; `dropSnapshot` drops the existing ones. */
  freeSnapshot(): void {
    this.#hasSnapshot = false;
  }

  dropSnapshot(): void {
    for (const buffer of this.#byCpu.values()) buffer.dropSnapshot();
  }
}
