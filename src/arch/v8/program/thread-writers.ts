import { countShared } from '../../../base/shared-memory.js';
import {
  ClockedWriter,
  type ClockReading,
  clockReading,
  InstanceSwitch,
  RingBufferWriter,
  type TraceClock,
} from '../../../ring-buffer/index.js';
import type { RecordWriter } from '../../../tracers/record-writer.js';

/** Called with the writer of an instance's records from now on. */
type SetWriter = (writer: RecordWriter, instance: number) => void;

/** The writers of a thread's records, by instance: each has a ring buffer and a clock. */
export class ThreadWriters {
  readonly #cpu: number;
  readonly #counter: BigInt64Array;
  readonly #set: SetWriter;
  readonly #ringBuffers = new Map<number, RingBufferWriter>();
  readonly #writers = new Map<number, RecordWriter>();
  #order: ClockReading | undefined;

  /** @param counter the trace clock `counter`, which all threads share */
  constructor(cpu: number, counter: BigInt64Array, set: SetWriter) {
    this.#cpu = cpu;
    this.#counter = counter;
    this.#set = set;
  }

  /** The thread's ring buffer in an instance, once it has one. */
  ringBuffer(instance: number): RingBufferWriter | undefined {
    return this.#ringBuffers.get(instance);
  }

  /** The writer with the instance's clock; by default that of the top level. */
  get(instance = 0): RecordWriter | undefined {
    return this.#writers.get(instance);
  }

  /** Writes to a ring buffer from now on, with the times of the clock `local`. */
  setBuffer(instance: number, buffer: SharedArrayBuffer, words: SharedArrayBuffer): void {
    const ringBuffer = new RingBufferWriter(countShared(buffer), new InstanceSwitch(words), this.#cpu);
    this.#ringBuffers.set(instance, ringBuffer);
    this.#setReading(instance, ringBuffer, undefined);
  }

  /** The times of the top level's records keep an order with those of others, where no other clock is chosen. */
  setOrder(order: ClockReading): void {
    this.#order = order;
    const ringBuffer = this.#ringBuffers.get(0);
    if (ringBuffer !== undefined) this.#setReading(0, ringBuffer, undefined);
  }

  /** Returns false if an event is being written now. */
  setClock(instance: number, clock: TraceClock): boolean {
    const ringBuffer = this.#ringBuffers.get(instance);
    if (ringBuffer === undefined) return true;
    if (!ringBuffer.forgetTime()) return false;
    this.#setReading(instance, ringBuffer, clockReading(clock, this.#counter));
    return true;
  }

  #setReading(instance: number, ringBuffer: RingBufferWriter, clock: ClockReading | undefined): void {
    const reading = clock ?? (instance === 0 ? this.#order : undefined);
    this.#setWriter(instance, reading === undefined ? ringBuffer : new ClockedWriter(ringBuffer, reading));
  }

  remove(instance: number): void {
    this.#writers.delete(instance);
    this.#ringBuffers.delete(instance);
  }

  #setWriter(instance: number, writer: RecordWriter): void {
    this.#writers.set(instance, writer);
    this.#set(writer, instance);
  }
}
