import { controlWriter } from '../../port/limits.js';
import {
  type AllocateRing,
  allocateRing,
  type CpuReader,
  type InstanceSwitch,
  MergedReader,
  type RingBufferReader,
} from '../../ring-buffer/index.js';
import { type Mover, RingHalves } from './ring-halves.js';

/** What one cpu records, seen from its readers. */
export interface CpuBuffer {
  readonly cpu: number;
  /** Undefined while the buffer has no memory, because nothing was recorded yet. */
  readonly reader: CpuReader | undefined;
  /** The memory of the snapshot, if there is any. */
  readonly snapshot: CpuReader | undefined;
  /** The data bytes that it can hold, or will hold when it has memory. */
  readonly bytes: number;
}

/** The rings of a cpu as one reader, the same one while the rings are the same. */
class JoinedReader {
  #rings: readonly RingBufferReader[] = [];
  #reader: CpuReader | undefined;

  of(...maybe: readonly (RingBufferReader | undefined)[]): CpuReader | undefined {
    const rings = maybe.filter((ring) => ring !== undefined);
    const isSame = rings.length === this.#rings.length && rings.every((ring, i) => ring === this.#rings[i]);
    if (!isSame) {
      const [first, ...others] = rings;
      this.#rings = rings;
      this.#reader = first && others.length > 0 ? new MergedReader(first, ...others) : first;
    }
    return this.#reader;
  }

  clear(): void {
    this.#rings = [];
    this.#reader = undefined;
  }
}

/**
 * What one cpu records: the ring of its thread, which outlives the thread (the next thread on the cpu continues it), and a ring
 * of what the control thread itself records there, because a ring has a single writer. Readers see both as one buffer.
 */
export class ThreadBuffer implements CpuBuffer {
  readonly cpu: number;
  readonly thread: RingHalves;
  /** The control thread's. */
  readonly control: RingHalves;
  readonly #reader = new JoinedReader();
  readonly #snapshot = new JoinedReader();
  /** What the same thread records elsewhere; the cpu of that shows nothing. */
  #other: ThreadBuffer | undefined;
  #isOther = false;

  /** @param allocate gives memory that the program's threads can write to */
  constructor(cpu: number, bytes: number, instance: InstanceSwitch, allocate: AllocateRing) {
    this.cpu = cpu;
    this.thread = new RingHalves(cpu, cpu, bytes, instance, allocate);
    this.control = new RingHalves(cpu, controlWriter(cpu), bytes, instance, allocateRing);
  }

  get bytes(): number {
    return this.thread.bytes;
  }

  /** From now on what another cpu records is shown as this one's: it is the same thread. */
  join(other: ThreadBuffer): void {
    this.#other = other;
    other.#isOther = true;
  }

  /** Undefined before there is memory. */
  get reader(): CpuReader | undefined {
    return this.#reader.of(this.#isOther ? undefined : this.thread.reader, this.#other?.thread.reader, this.control.reader);
  }

  get snapshot(): CpuReader | undefined {
    return this.#snapshot.of(
      this.#isOther ? undefined : this.thread.snapshot,
      this.#other?.thread.snapshot,
      this.control.snapshot,
    );
  }

  /** The readers of each memory, if there is any. */
  get readers(): readonly RingBufferReader[] {
    return [...this.thread.readers, ...this.control.readers];
  }

  dropSnapshot(): void {
    this.thread.dropSnapshot();
    this.control.dropSnapshot();
    // Neither pair may keep the memory alive until the next read.
    this.#reader.clear();
    this.#snapshot.clear();
  }

  /**
   * Changes the size of the buffer.
   * @param move makes the cpu's thread move; undefined if there is none
   * @param moveOwn makes the control thread move
   */
  async resize(bytes: number, move?: Mover, moveControl?: Mover): Promise<void> {
    await Promise.all([this.thread.resize(bytes, move), this.control.resize(bytes, moveControl)]);
  }

  /** Gives the snapshot the size of the buffer. */
  async fitSnapshot(move?: Mover, moveControl?: Mover): Promise<void> {
    await Promise.all([this.thread.fitSnapshot(move), this.control.fitSnapshot(moveControl)]);
  }
}
