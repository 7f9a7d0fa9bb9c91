import { SafeMap } from '../../base/safe-map.js';
import { countShared } from '../../base/shared-memory.js';
import type { RecordWriter } from '../../ftrace/tracers/record-writer.js';
import {
  ClockedWriter,
  type ClockReading,
  clockReading,
  InstanceSwitch,
  isClockInNs,
  RingBufferWriter,
  type TraceClock,
} from '../../ring-buffer/index.js';

import { type FoundCycles, ThreadCycles } from '../cycles/read-cycles.js';

/** Called with the writer of an instance's records from now on. */
type SetWriter = (writer: RecordWriter, instance: number) => void;

/** The writers of a thread's records, by instance: each has a ring buffer and a clock. */
export class ThreadWriters {
  readonly #cpu: number;
  readonly #counter: BigInt64Array;
  readonly #set: SetWriter;
  readonly #ringBuffers = new SafeMap<number, RingBufferWriter>();
  readonly #writers = new SafeMap<number, RecordWriter>();
  readonly #clocks = new SafeMap<number, TraceClock>();
  #order: ClockReading | undefined;
  #tsc: ClockReading | undefined;
  readonly #cycles: ThreadCycles;

  /**
   * @param counter the trace clock `counter`, which all threads share
   * @param lostCycles called when V8 has taken away the machine code that reads the cycle counter
   */
  constructor(cpu: number, counter: BigInt64Array, set: SetWriter, lostCycles: (serial: number) => void = () => {}) {
    this.#cpu = cpu;
    this.#counter = counter;
    this.#set = set;
    this.#cycles = new ThreadCycles(lostCycles);
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
    this.#clocks.delete(instance);
    this.#setReading(instance, ringBuffer);
  }

  /**
   * The native text of the thread is traced too.
   * @param joined `order` keeps the times of the top level's records in one order with those of native text, where they are
   * nanoseconds; `tsc` is the clock `x86-tsc`
   */
  joinNative({ order, tsc }: { readonly order: ClockReading; readonly tsc: ClockReading }): void {
    this.#order = order;
    this.#tsc = tsc;
    for (const [instance, ringBuffer] of this.#ringBuffers) this.#setReading(instance, ringBuffer);
  }

  /** The thread reads the cycle counter, if it can: it is the clock `x86-tsc`, unless native text has given one. */
  readCycles(found: FoundCycles): void {
    this.#cycles.read(found);
  }

  /** Returns false if an event is being written now. */
  setClock(instance: number, clock: TraceClock): boolean {
    const ringBuffer = this.#ringBuffers.get(instance);
    if (ringBuffer === undefined) return true;
    if (!ringBuffer.forgetTime()) return false;
    this.#clocks.set(instance, clock);
    this.#setReading(instance, ringBuffer);
    return true;
  }

  #setReading(instance: number, ringBuffer: RingBufferWriter): void {
    const reading = this.#reading(instance, this.#clocks.get(instance) ?? 'local');
    this.#setWriter(instance, reading === undefined ? ringBuffer : new ClockedWriter(ringBuffer, reading));
  }

  #reading(instance: number, clock: TraceClock): ClockReading | undefined {
    const reading = clockReading(clock, this.#counter, this.#tsc ?? this.#cycles.counts);
    const order = instance === 0 && isClockInNs(clock) ? this.#order : undefined;
    return order && reading ? (ns) => order(reading(ns)) : (order ?? reading);
  }

  remove(instance: number): void {
    this.#clocks.delete(instance);
    this.#writers.delete(instance);
    this.#ringBuffers.delete(instance);
  }

  #setWriter(instance: number, writer: RecordWriter): void {
    this.#writers.set(instance, writer);
    this.#set(writer, instance);
  }
}
