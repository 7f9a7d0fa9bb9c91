import type { Histogram } from 'node:perf_hooks';

/** The part of a histogram that is read: numbers in memory that the watched thread writes. */
export type Beats = Pick<Histogram, 'count' | 'max' | 'reset'>;

const NS_PER_MS = 1e6;
/** A beat is seen up to so many milliseconds after it was, and so is the next one. */
const SLACK = 50;

/** What a look at a heartbeat finds. */
export interface Pulse {
  /** Milliseconds since the last beat was seen. */
  readonly silentFor: number;
  /** Present if the thread has beaten again: the longest time between two beats since the look before, in milliseconds. */
  readonly gap?: number;
}

/**
 * The heartbeat of a thread's event loop, read from another thread: a timer of libuv's counts in a histogram, and does not while
 * the loop does not turn.
 */
export class Heartbeat {
  readonly #beats: Beats;
  #count = -1;
  #seen: number;
  /** Looks that have found a beat since it counts anew: the first one has no gap before it. */
  #beatsSince = 0;
  #isMeasured = false;

  constructor(beats: Beats, now: number) {
    this.#beats = beats;
    this.#seen = now;
  }

  /** @param now milliseconds of a clock of the asking thread */
  look(now: number): Pulse {
    const { count } = this.#beats;
    const silentFor = now - this.#seen;
    if (count === this.#count) return { silentFor };
    this.#isMeasured = this.#beatsSince > 0;
    this.#beatsSince++;
    this.#count = count;
    this.#seen = now;
    return { silentFor: 0, gap: silentFor };
  }

  /** When the last beat was seen. */
  get seen(): number {
    return this.#seen;
  }

  /**
   * The exact time between the two beats of `gap`, which a look has just found, in milliseconds. It counts anew from here: then
   * the first gap is not measured, and is about what the look has found.
   */
  exact(gap: number): number {
    const longest = this.#beats.max / NS_PER_MS;
    const isMeasured = this.#isMeasured;
    this.#beats.reset();
    this.#count = this.#beats.count;
    this.#beatsSince = 0;
    return isMeasured && longest <= gap + SLACK ? longest : gap;
  }
}
