import { lastAtOrBefore } from '../../base/last-at-or-before.js';
import type { CodeRange } from './object-functions.js';

/** How a place among the first instructions of a function is reached or used, as bits. */
export const USE = {
  /** Something jumps there, or calls it. */
  jumped: 1,
  /** The function itself jumps there. */
  loop: 2,
  /** The address of the place is somewhere: a table of jumps, a pointer, where an exception goes on. */
  pointed: 4,
  /** An instruction reads or writes it as data. */
  data: 8,
} as const;

/** What is known of places that a site would take. */
export interface KnownUses {
  /** The uses of the places from one address up to another, as bits. */
  uses(from: number, to: number): number;
}

/** The places near the starts of functions that something uses: nothing may stand there in the place of instructions. */
export class StartPlaces implements KnownUses {
  /** From the first start to where the last piece of code ends. */
  readonly span: CodeRange;
  readonly #starts: Float64Array;
  readonly #size: number;
  readonly #uses = new Map<number, number>();

  /**
   * @param ranges all code of the object, by address: each begins where a function or a part of one does
   * @param size how far from a start places matter
   */
  constructor(ranges: readonly CodeRange[], size: number) {
    this.#starts = Float64Array.from(ranges, ({ start }) => start);
    this.#size = size;
    this.span = { start: this.#starts[0] ?? 0, end: ranges.at(-1)?.end ?? 0 };
  }

  /** Notes a use. That the start itself is called or pointed to is what functions are for, and not noted. */
  add(address: number, use: number): void {
    if (address < this.span.start || address >= this.span.end) return;
    const start = this.#starts[lastAtOrBefore(this.#starts, address)]!;
    if (address >= start + this.#size) return;
    const noted = address === start ? use & (USE.loop | USE.data) : use;
    if (noted !== 0) this.#uses.set(address, (this.#uses.get(address) ?? 0) | noted);
  }

  uses(from: number, to: number): number {
    let uses = 0;
    for (let address = from; address < to; address++) uses |= this.#uses.get(address) ?? 0;
    return uses;
  }
}
