import { type BucketRange, bucketOf, grownRange, quantileOf } from './duration-histogram.js';
import { grown } from './grown.js';

/** What stands in `#rows` of a histogram: its bounds, its buckets, and where the counts of these stand. */
const COUNT = 0;
const LEAST = 1;
const MOST = 2;
const FIRST = 3;
const LENGTH = 4;
const AT = 5;
/** A line of the processor's cache. */
const NUMBERS = 8;

/**
 * Histograms of durations by an index, see DurationHistogram. All lie in two arrays: a report adds to thousands of them in no
 * order, and waited for the memory when each was an object with an array of its own.
 */
export class DurationHistograms {
  #rows = new Float64Array(0);
  /** The counts of all buckets. Those of a histogram that grew are left behind: it has twice as many then, or more. */
  #counts = new Uint32Array(0);
  #used = 0;

  add(index: number, ns: number): void {
    const row = index * NUMBERS;
    if (row >= this.#rows.length) this.#makeRoom(row);
    const rows = this.#rows;
    rows[row + COUNT]!++;
    if (ns < rows[row + LEAST]!) rows[row + LEAST] = ns;
    if (ns > rows[row + MOST]!) rows[row + MOST] = ns;
    const bucket = bucketOf(ns);
    const at = bucket - rows[row + FIRST]!;
    if (at < 0 || at >= rows[row + LENGTH]!) this.#grow(row, bucket);
    this.#counts[rows[row + AT]! + bucket - rows[row + FIRST]!]!++;
  }

  /** How many durations a histogram has. */
  count(index: number): number {
    return this.#rows[index * NUMBERS + COUNT] ?? 0;
  }

  /** The duration that this part of all of a histogram did not exceed, 0.5 for the median; 0 if there was none. */
  quantile(index: number, part: number): number {
    const row = index * NUMBERS;
    if (row >= this.#rows.length) return 0;
    const [count, least, most] = [this.#rows[row + COUNT]!, this.#rows[row + LEAST]!, this.#rows[row + MOST]!];
    return quantileOf(part, { count, least, most }, this.#range(row), this.#counts, this.#rows[row + AT]!);
  }

  #range(row: number): BucketRange {
    return { first: this.#rows[row + FIRST]!, length: this.#rows[row + LENGTH]! };
  }

  #grow(row: number, bucket: number): void {
    const rows = this.#rows;
    const old = this.#range(row);
    const { first, length } = grownRange(old, bucket);
    const from = rows[row + AT]!;
    const to = this.#used;
    this.#used += length;
    this.#counts = grown(this.#counts, this.#used);
    if (old.length > 0) this.#counts.copyWithin(to + old.first - first, from, from + old.length);
    rows[row + FIRST] = first;
    rows[row + LENGTH] = length;
    rows[row + AT] = to;
  }

  #makeRoom(row: number): void {
    const rows = new Float64Array(2 * (row + NUMBERS));
    rows.set(this.#rows);
    for (let at = this.#rows.length; at < rows.length; at += NUMBERS) rows[at + LEAST] = Infinity;
    this.#rows = rows;
  }
}
