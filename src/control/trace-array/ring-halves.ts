import {
  type AllocateRing,
  createRingIn,
  DEFAULT_SUBBUF_BYTES,
  type InstanceSwitch,
  moveRing,
  pagesFor,
  RingBufferReader,
} from '../../ring-buffer/index.js';

/** One of a writer's two memories: the one that is written to, and the one that keeps a snapshot. */
export type Half = 0 | 1;
/** Makes the writer move one of its halves to another memory. */
export type Mover = (memory: SharedArrayBuffer, half: Half) => Promise<void>;

/** How to create the ring buffers of an instance. */
export interface BufferSettings {
  readonly overwrite: boolean;
  /** Cpus on which nothing is recorded: tracing_cpumask leaves them out. */
  readonly isMasked: (cpu: number) => boolean;
}

interface RingHalf {
  readonly reader: RingBufferReader;
  bytes: number;
}

/**
 * The ring buffer of one writer, on its readers' side. It takes no memory before it is needed. A snapshot needs a second
 * memory; the writer exchanges the two.
 */
export class RingHalves {
  readonly #cpu: number;
  /** The writer's number in the InstanceSwitch. */
  readonly #slot: number;
  readonly #instance: InstanceSwitch;
  readonly #allocate: AllocateRing;
  readonly #halves: (RingHalf | undefined)[] = [undefined, undefined];
  /** Data bytes of memory that is allocated later. */
  #bytes: number;

  /** @param allocate gives the memory, which the writer must be able to use */
  constructor(cpu: number, slot: number, bytes: number, instance: InstanceSwitch, allocate: AllocateRing) {
    this.#cpu = cpu;
    this.#slot = slot;
    this.#bytes = bytes;
    this.#instance = instance;
    this.#allocate = allocate;
  }

  get bytes(): number {
    return this.#halves[this.#live]?.bytes ?? this.#bytes;
  }

  /** Undefined before the first call of `memory`. */
  get reader(): RingBufferReader | undefined {
    return this.#halves[this.#live]?.reader;
  }

  get snapshot(): RingBufferReader | undefined {
    return this.#halves[this.#spare]?.reader;
  }

  /** The readers of both halves, if they exist. */
  get readers(): readonly RingBufferReader[] {
    return this.#halves.flatMap((half) => half?.reader ?? []);
  }

  /** The memory, allocated now if there was none. */
  memory(settings: BufferSettings): SharedArrayBuffer {
    return this.#half(this.#live, settings).reader.memory as SharedArrayBuffer;
  }

  /** The memory for a snapshot, allocated now if there was none. */
  spare(settings: BufferSettings): SharedArrayBuffer {
    if (this.snapshot === undefined) this.#instance.beginFollowing(this.#slot);
    return this.#half(this.#spare, settings).reader.memory as SharedArrayBuffer;
  }

  /** Drops the snapshot; no writer may use it any more. */
  dropSnapshot(): void {
    this.#halves[this.#spare] = undefined;
  }

  /** Takes the snapshots that are still missing of this ring, which has no writer. */
  follow(): void {
    if (this.snapshot === undefined) return;
    const { reader } = this;
    this.#instance.follow(this.#slot);
    // Readers that wait for records look into the other memory, as when a writer moves there.
    reader?.wakeUp();
  }

  /** The writer's thread has ended, perhaps before it took a snapshot. */
  writerEnded(): void {
    this.follow();
    for (const reader of this.readers) reader.writerEnded();
  }

  /**
   * Changes the size of the buffer.
   * @param move makes the writer move to the given memory; undefined if there is no writer
   */
  async resize(bytes: number, move?: Mover): Promise<void> {
    this.#bytes = bytes;
    await this.#resizeHalf(this.#live, bytes, move);
  }

  /** Gives the snapshot the size of the buffer, because the two are exchanged (resize_buffer_duplicate_size). */
  async fitSnapshot(move?: Mover): Promise<void> {
    await this.#resizeHalf(this.#spare, this.bytes, move);
  }

  get #live(): Half {
    return this.#instance.live(this.#slot);
  }

  get #spare(): Half {
    return this.#live === 0 ? 1 : 0;
  }

  #half(which: Half, { overwrite, isMasked }: BufferSettings): RingHalf {
    const known = this.#halves[which];
    if (known !== undefined) return known;
    const { bytes } = this;
    const reader = new RingBufferReader(createRingIn(this.#allocate, bytes, DEFAULT_SUBBUF_BYTES, { overwrite }));
    if (isMasked(this.#cpu)) reader.setDisabled('cpumask', true);
    const half = { reader, bytes };
    this.#halves[which] = half;
    return half;
  }

  async #resizeHalf(which: Half, bytes: number, move: Mover | undefined): Promise<void> {
    const half = this.#halves[which];
    if (half === undefined) return;
    const isSame = pagesFor(bytes, DEFAULT_SUBBUF_BYTES) === pagesFor(half.bytes, DEFAULT_SUBBUF_BYTES);
    if (!isSame) {
      const target = createRingIn(this.#allocate, bytes, DEFAULT_SUBBUF_BYTES);
      half.reader.expectMove(target);
      if (move === undefined) moveRing(half.reader.memory, target);
      else await move(target, which);
    }
    half.bytes = bytes;
  }
}
