import { traceClock } from '../../../ring-buffer/index.js';
import { CLOCK, GATE } from '../code/arena.js';
import { OWN_MACHINE } from '../machine/machines.js';
import type { NativeArena } from './native-arena.js';
import { type TscConversion, TscRate, type TscReading } from './tsc-rate.js';

/** Pairs of readings, of which the one that took the shortest time is kept. */
const PAIRS = 32;
/** Milliseconds in which the first rate is measured. */
const FIRST_SPAN = 30;
/** How often the rate is measured again, in milliseconds. */
const AGAIN = 1000;

/** The memory of the emitted code. */
export type ClockArena = Pick<NativeArena, 'start' | 'setLong' | 'setWord'>;

/** Keeps the clock of the emitted code in step with that of all other records: CLOCK_MONOTONIC in nanoseconds. */
export class TscClock {
  readonly #arena: ClockArena;
  readonly #rdtsc: () => bigint;
  readonly #rate = new TscRate(OWN_MACHINE.clockShift);
  #which = 0;
  #timer: NodeJS.Timeout | undefined;

  /** Blocks for some 30 ms. */
  constructor(arena: ClockArena, rdtsc: () => bigint) {
    this.#arena = arena;
    this.#rdtsc = rdtsc;
    this.#rate.add(this.#read());
    const end = traceClock() + FIRST_SPAN * 1e6;
    while (traceClock() < end);
    this.#set();
    this.#timer = setInterval(() => this.#setWhileAlive(), AGAIN).unref();
  }

  end(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #setWhileAlive(): void {
    try {
      this.#set();
    } catch {
      // The process has ended.
      this.end();
    }
  }

  #read(): TscReading {
    let best: TscReading = { tsc: 0n, ns: 0 };
    let shortest = Infinity;
    for (let i = 0; i < PAIRS; i++) {
      const before = this.#rdtsc();
      const ns = traceClock();
      const after = this.#rdtsc();
      const took = Number(after - before);
      if (took >= shortest) continue;
      shortest = took;
      best = { tsc: before + BigInt(Math.round(took / 2)), ns };
    }
    return best;
  }

  /** The present rate, from the present reading on. */
  #set(): void {
    const { base, multiplier, offset } = this.#rate.add(this.#read()) as TscConversion;
    this.#which = 1 - this.#which;
    const clock = GATE.CLOCKS + this.#which * CLOCK.BYTES;
    const at = this.#arena.start + clock;
    this.#arena.setLong(at + CLOCK.BASE, base);
    this.#arena.setLong(at + CLOCK.MULTIPLIER, multiplier);
    this.#arena.setLong(at + CLOCK.OFFSET, offset);
    this.#arena.setWord(this.#arena.start + GATE.CLOCK, clock);
  }
}
