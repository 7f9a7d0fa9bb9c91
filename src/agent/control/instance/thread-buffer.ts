import { ownWriter } from '../../../arch/cpus.js';
import type { CpuBuffer } from '../../../core/cpu-buffer.js';
import { type CpuReader, type InstanceSwitch, MergedReader, type RingBufferReader } from '../../../ring-buffer/index.js';
import { type Mover, RingHalves } from './ring-halves.js';

/** Both rings of a cpu as one reader, the same one for as long as the two are. */
class ReaderPair {
  #thread: RingBufferReader | undefined;
  #own: RingBufferReader | undefined;
  #reader: CpuReader | undefined;

  of(thread: RingBufferReader | undefined, own: RingBufferReader | undefined): CpuReader | undefined {
    if (thread !== this.#thread || own !== this.#own) {
      this.#thread = thread;
      this.#own = own;
      this.#reader = thread && own ? new MergedReader(thread, own) : (thread ?? own);
    }
    return this.#reader;
  }

  clear(): void {
    this.#thread = this.#own = this.#reader = undefined;
  }
}

/**
 * What one cpu records: the ring of its thread, which outlives it (the next thread on the cpu writes on into it), and one of
 * what the control thread itself records there, as a ring has a single writer. Readers see the events of both as one buffer's.
 */
export class ThreadBuffer implements CpuBuffer {
  readonly cpu: number;
  readonly thread: RingHalves;
  /** The control thread's. */
  readonly own: RingHalves;
  readonly #reader = new ReaderPair();
  readonly #snapshot = new ReaderPair();

  constructor(cpu: number, bytes: number, instance: InstanceSwitch) {
    this.cpu = cpu;
    this.thread = new RingHalves(cpu, cpu, bytes, instance);
    this.own = new RingHalves(cpu, ownWriter(cpu), bytes, instance);
  }

  get bytes(): number {
    return this.thread.bytes;
  }

  /** Undefined before there is memory. */
  get reader(): CpuReader | undefined {
    return this.#reader.of(this.thread.reader, this.own.reader);
  }

  get snapshot(): CpuReader | undefined {
    return this.#snapshot.of(this.thread.snapshot, this.own.snapshot);
  }

  /** Those of each memory, as far as there is any. */
  get readers(): readonly RingBufferReader[] {
    return [...this.thread.readers, ...this.own.readers];
  }

  dropSnapshot(): void {
    this.thread.dropSnapshot();
    this.own.dropSnapshot();
    // Neither pair is to keep the memory until somebody reads again.
    this.#reader.clear();
    this.#snapshot.clear();
  }

  /**
   * Gives the buffer another size.
   * @param move has the cpu's thread move; undefined when there is none
   * @param moveOwn has the control thread move
   */
  async resize(bytes: number, move?: Mover, moveOwn?: Mover): Promise<void> {
    await Promise.all([this.thread.resize(bytes, move), this.own.resize(bytes, moveOwn)]);
  }

  /** Gives the snapshot the size of the buffer. */
  async fitSnapshot(move?: Mover, moveOwn?: Mover): Promise<void> {
    await Promise.all([this.thread.fitSnapshot(move), this.own.fitSnapshot(moveOwn)]);
  }
}
