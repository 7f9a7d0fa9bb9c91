import { ClockedWriter, type ClockReading, RingBufferWriter } from '../../../ring-buffer/index.js';
import type { RecordWriter } from '../../../tracers/record-writer.js';
import type { Mover } from './thread-buffer.js';
import type { ThreadBuffers } from './thread-buffers.js';

/** What the control thread's own writer needs of the process. */
export interface OwnCpu {
  /** The cpu of the control thread itself, from its first own record on. */
  readonly ownCpu: number | undefined;
  /** Takes a cpu for the control thread; undefined when none is free. */
  takeOwnCpu(): number | undefined;
}

/**
 * Writes an instance's records of what comes from outside (marks, samples): the control thread becomes a cpu of its own
 * when it first needs one.
 */
export class OwnWriter {
  readonly #cpu: OwnCpu;
  readonly #buffers: ThreadBuffers;
  readonly #made: () => void;
  #ringBuffer: RingBufferWriter | undefined;
  #writer: RecordWriter | undefined;
  #reading: ClockReading | undefined;

  /** @param made called once, when there is a ring buffer */
  constructor(cpu: OwnCpu, buffers: ThreadBuffers, made: () => void) {
    this.#cpu = cpu;
    this.#buffers = buffers;
    this.#made = made;
  }

  /** The ring buffer, from the first record on. */
  get ringBuffer(): RingBufferWriter | undefined {
    return this.#ringBuffer;
  }

  /** Undefined when the process has no cpu left for it. */
  get(): RecordWriter | undefined {
    if (this.#writer !== undefined) return this.#writer;
    const cpu = this.#cpu.takeOwnCpu();
    if (cpu === undefined) return undefined;
    this.#ringBuffer = new RingBufferWriter(this.#buffers.memory(cpu), this.#buffers.instance, cpu);
    this.#choose();
    this.#made();
    return this.#writer;
  }

  /** Has later records carry the times of a clock; undefined is the one that the ring buffer has by itself. */
  setReading(reading: ClockReading | undefined): void {
    this.#reading = reading;
    this.#ringBuffer?.forgetTime();
    this.#choose();
  }

  /** Moves the ring buffer to another memory. */
  readonly move: Mover = async (memory, half) => void this.#ringBuffer?.moveTo(memory, half);

  #choose(): void {
    const ringBuffer = this.#ringBuffer;
    this.#writer = ringBuffer && this.#reading ? new ClockedWriter(ringBuffer, this.#reading) : ringBuffer;
  }
}
