import { doubled } from './doubled.js';
import { DurationHistogram } from './duration-histogram.js';
import { grown } from './grown.js';

/** What stands in `#places` of an index: where its newest durations stand, how many they are, and how many have room there. */
const AT = 0;
const COUNT = 1;
const ROOM = 2;
const WORDS = 4;
/** The room for durations at first, and in the end. */
const FEW = 16;
const MANY = 128;

/**
 * Histograms of durations by an index, see DurationHistogram. A report adds to thousands of them in no order: so many do not fit
 * into the processor's cache, and each duration waited for the memory. Those of an index therefore come side by side first, and
 * into its histogram when they are many. Most have no histogram then.
 */
export class DurationHistograms {
  #places = new Uint32Array(0);
  #newest = new Float64Array(FEW);
  #used = 0;
  readonly #histograms = new Map<number, DurationHistogram>();
  /** For those that have none. */
  readonly #other = new DurationHistogram();

  add(index: number, ns: number): void {
    const row = index * WORDS;
    if (row >= this.#places.length || this.#places[row + COUNT] === this.#places[row + ROOM]) this.#makeRoom(index);
    const places = this.#places;
    const count = places[row + COUNT]!;
    this.#newest[places[row + AT]! + count] = ns;
    places[row + COUNT] = count + 1;
  }

  /** The histogram of an index; it may be another one's after the next call. */
  of(index: number): DurationHistogram {
    const own = this.#histograms.get(index);
    if (own !== undefined) return this.#emptyInto(own, index);
    this.#other.clear();
    return this.#copyInto(this.#other, index);
  }

  /** Lets one more duration of an index come. */
  #makeRoom(index: number): void {
    const row = index * WORDS;
    this.#places = grown(this.#places, row + WORDS);
    const room = this.#places[row + ROOM]!;
    if (room === MANY) this.#emptyInto(this.#own(index), index);
    else this.#move(row, room === 0 ? FEW : MANY);
  }

  /** Moves the newest durations to where there is more room. */
  #move(row: number, room: number): void {
    const places = this.#places;
    const [from, to] = [places[row + AT]!, this.#used];
    this.#used += room;
    while (this.#used > this.#newest.length) this.#newest = doubled(this.#newest);
    this.#newest.copyWithin(to, from, from + places[row + COUNT]!);
    places[row + AT] = to;
    places[row + ROOM] = room;
  }

  #own(index: number): DurationHistogram {
    let own = this.#histograms.get(index);
    if (own === undefined) this.#histograms.set(index, (own = new DurationHistogram()));
    return own;
  }

  #emptyInto(histogram: DurationHistogram, index: number): DurationHistogram {
    this.#copyInto(histogram, index);
    this.#places[index * WORDS + COUNT] = 0;
    return histogram;
  }

  #copyInto(histogram: DurationHistogram, index: number): DurationHistogram {
    const row = index * WORDS;
    if (row >= this.#places.length) return histogram;
    const from = this.#places[row + AT]!;
    const end = from + this.#places[row + COUNT]!;
    for (let at = from; at < end; at++) histogram.add(this.#newest[at]!);
    return histogram;
  }
}
