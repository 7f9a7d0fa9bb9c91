import type { RecordWriter } from '../../ftrace/tracers/record-writer.js';
import { controlWriter } from '../../port/limits.js';
import { ClockedWriter, type ClockReading, RingBufferWriter } from '../../ring-buffer/index.js';
import type { ControlRing } from './instance-snapshot.js';
import type { Mover } from './ring-halves.js';
import type { ThreadBuffers } from './thread-buffers.js';

interface WrittenRing extends ControlRing {
  writer: RecordWriter;
}

/**
 * Writes an instance's records of what comes from outside (marks, samples). Their writer runs on some cpu, so they belong to an
 * existing one: the lowest that tracing_cpumask allows. They are in a second ring, which only the control thread writes.
 */
export class ControlWriter {
  readonly #buffers: ThreadBuffers;
  readonly #made: (ring: WrittenRing) => void;
  readonly #byCpu = new Map<number, WrittenRing>();
  #reading: ClockReading | undefined;

  /** @param made called once for each ring, when it is there */
  constructor(buffers: ThreadBuffers, made: (ring: WrittenRing) => void) {
    this.#buffers = buffers;
    this.#made = made;
  }

  /** The rings; each is created with its first record. */
  get rings(): readonly WrittenRing[] {
    return [...this.#byCpu.values()];
  }

  /** Undefined when tracing_cpumask allows no cpu. */
  get(): RecordWriter | undefined {
    const cpu = this.#buffers.lowestAllowed();
    return cpu === undefined ? undefined : (this.#byCpu.get(cpu) ?? this.#make(cpu)).writer;
  }

  /** Switches later records to a clock; undefined is the ring buffers' own clock. */
  setReading(reading: ClockReading | undefined): void {
    this.#reading = reading;
    for (const ring of this.#byCpu.values()) {
      ring.ringBuffer.forgetTime();
      ring.writer = this.#writerOf(ring.ringBuffer);
    }
  }

  /** What moves the ring of a cpu to another memory; undefined when it has none. */
  moverOf(cpu: number): Mover | undefined {
    const ring = this.#byCpu.get(cpu);
    return ring && (async (memory, half) => void ring.ringBuffer.moveTo(memory, half));
  }

  #make(cpu: number): WrittenRing {
    const ringBuffer = new RingBufferWriter(this.#buffers.controlMemory(cpu), this.#buffers.instance, controlWriter(cpu));
    const ring = { cpu, ringBuffer, writer: this.#writerOf(ringBuffer) };
    this.#byCpu.set(cpu, ring);
    this.#made(ring);
    return ring;
  }

  #writerOf(ringBuffer: RingBufferWriter): RecordWriter {
    return this.#reading ? new ClockedWriter(ringBuffer, this.#reading) : ringBuffer;
  }
}
