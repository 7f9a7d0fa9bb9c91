import { CLOCK, GATE } from '../code/arena.js';
import { LOCAL_MACHINE } from '../machines/machines.js';
import type { NativeArena } from './native-arena.js';
import { countOf, type TscConversion, TscRate, type TscReading, untilNextReading } from './tsc-rate.js';

/** The memory of the emitted code. */
export type ClockArena = Pick<NativeArena, 'start' | 'setLong' | 'setWord'>;

/** Keeps the clock of the emitted code in step with that of all other records: CLOCK_MONOTONIC in nanoseconds. */
export class TscClock {
  readonly #arena: ClockArena;
  readonly #read: () => TscReading;
  readonly #rate = new TscRate(LOCAL_MACHINE.clockShift);
  #conversion!: TscConversion;
  #which = 0;
  #timer: NodeJS.Timeout | undefined;

  /** Blocks until the rate is known, for some 30 ms. */
  constructor(arena: ClockArena, read: () => TscReading) {
    this.#arena = arena;
    this.#read = read;
    const first = read();
    this.#rate.add(first);
    const end = first.ns + untilNextReading(0) * 1e6;
    while (read().ns < end);
    this.#set();
    this.#wait(first.ns);
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #wait(since: number): void {
    const age = (this.#read().ns - since) / 1e6;
    this.#timer = setTimeout(() => this.#setWhileAlive(since), untilNextReading(age)).unref();
  }

  #setWhileAlive(since: number): void {
    try {
      this.#set();
      this.#wait(since);
    } catch {
      // The process has ended.
      this.end();
    }
  }

  /** The count at a time, in nanoseconds. */
  readonly countAt = (ns: number): number => countOf(this.#conversion, ns);

  /** The present rate, from the present reading on. */
  #set(): void {
    this.#conversion = this.#rate.add(this.#read()) as TscConversion;
    const { base, multiplier, offset } = this.#conversion;
    this.#which = 1 - this.#which;
    const clock = GATE.CLOCKS + this.#which * CLOCK.BYTES;
    const at = this.#arena.start + clock;
    this.#arena.setLong(at + CLOCK.BASE, base);
    this.#arena.setLong(at + CLOCK.MULTIPLIER, multiplier);
    this.#arena.setLong(at + CLOCK.OFFSET, offset);
    this.#arena.setWord(this.#arena.start + GATE.CLOCK, clock);
  }
}
