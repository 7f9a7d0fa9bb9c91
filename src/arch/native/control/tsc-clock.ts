import { traceClock } from '../../../ring-buffer/index.js';
import { CLOCK, CLOCK_SHIFT, GATE } from '../code/arena.js';
import type { NativeArena } from './native-arena.js';

/** The time stamp counter and the clock of all records, read at one moment. */
interface Reading {
  readonly tsc: bigint;
  readonly ns: number;
}

/** Pairs of readings, of which the one that took the shortest time is kept. */
const PAIRS = 32;
/** Milliseconds in which the first rate is measured. */
const FIRST_SPAN = 30;
/** How often the rate is measured again: it is known better the longer the time was. */
const AGAIN = 1000;
const SHIFT = BigInt(CLOCK_SHIFT);

/** Keeps the clock of the emitted code in step with that of all other records: CLOCK_MONOTONIC in nanoseconds. */
export class TscClock {
  readonly #arena: NativeArena;
  readonly #rdtsc: () => bigint;
  readonly #first: Reading;
  #which = 0;
  #timer: NodeJS.Timeout | undefined;

  /** Blocks for some 30 ms. */
  constructor(arena: NativeArena, rdtsc: () => bigint) {
    this.#arena = arena;
    this.#rdtsc = rdtsc;
    this.#first = this.#read();
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

  #read(): Reading {
    let best: Reading = { tsc: 0n, ns: 0 };
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

  /** The rate since the first reading, from the present one on. */
  #set(): void {
    const { tsc, ns } = this.#read();
    const elapsed = BigInt(Math.round(ns - this.#first.ns));
    const multiplier = (elapsed << SHIFT) / (tsc - this.#first.tsc);
    this.#which = 1 - this.#which;
    const offset = GATE.CLOCKS + this.#which * CLOCK.BYTES;
    const at = this.#arena.start + offset;
    this.#arena.setLong(at + CLOCK.BASE, tsc);
    this.#arena.setLong(at + CLOCK.MULTIPLIER, multiplier);
    this.#arena.setLong(at + CLOCK.OFFSET, BigInt(Math.round(ns)));
    this.#arena.setWord(this.#arena.start + GATE.CLOCK, offset);
  }
}
