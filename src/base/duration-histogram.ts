/** Buckets for each doubling: each is some 2 % wide. */
const PER_DOUBLING = 32;
/** The buckets that are added at least; else as many as there are. */
const GROWTH = 16;

/** The bucket that a duration in ns belongs to. */
export const bucketOf = (ns: number): number => (ns < 1 ? 0 : Math.floor(Math.log2(ns) * PER_DOUBLING));

/** A row of buckets: the first one, and how many there are. */
export interface BucketRange {
  readonly first: number;
  readonly length: number;
}

/** The buckets that a histogram has when one more is needed that it did not have. */
export function grownRange({ first, length }: BucketRange, bucket: number): BucketRange {
  const more = Math.max(GROWTH, length);
  if (length === 0) return { first: bucket, length: more };
  if (bucket >= first + length) return { first, length: bucket + more - first };
  const start = Math.max(0, bucket - more);
  return { first: start, length: first + length - start };
}

/** What a histogram has besides its buckets: the number of its durations, the shortest and the longest of them. */
export interface DurationBounds {
  readonly count: number;
  readonly least: number;
  readonly most: number;
}

/**
 * The duration that this part of all did not exceed, 0.5 for the median; 0 if there was none.
 * @param counts of the buckets of `range`, from `at` on
 */
export function quantileOf(part: number, bounds: DurationBounds, range: BucketRange, counts: Uint32Array, at: number): number {
  const { count, least, most } = bounds;
  let left = Math.max(1, Math.ceil(count * part));
  if (left >= count) return most;
  for (let bucket = 0; bucket < range.length; bucket++) {
    left -= counts[at + bucket]!;
    if (left > 0) continue;
    const middle = 2 ** ((range.first + bucket + 0.5) / PER_DOUBLING);
    return Math.min(Math.max(middle, least), most);
  }
  return most;
}

/** A histogram of durations in little memory: the middle of a bucket is within 1.1 % of its durations. */
export class DurationHistogram {
  count = 0;
  #least = Infinity;
  #most = 0;
  /** Counts of the buckets from `#first` on. */
  #counts = new Uint32Array(0);
  #first = 0;

  add(ns: number): void {
    this.count++;
    if (ns < this.#least) this.#least = ns;
    if (ns > this.#most) this.#most = ns;
    const bucket = bucketOf(ns);
    const at = bucket - this.#first;
    if (at >= 0 && at < this.#counts.length) this.#counts[at]!++;
    else this.#grow(bucket);
  }

  /** The duration that this part of all calls did not exceed, 0.5 for the median; 0 if there was none. */
  quantile(part: number): number {
    const bounds = { count: this.count, least: this.#least, most: this.#most };
    return quantileOf(part, bounds, { first: this.#first, length: this.#counts.length }, this.#counts, 0);
  }

  #grow(bucket: number): void {
    const old = this.#counts;
    const { first, length } = grownRange({ first: this.#first, length: old.length }, bucket);
    const grown = new Uint32Array(length);
    grown.set(old, old.length === 0 ? 0 : this.#first - first);
    this.#counts = grown;
    this.#first = first;
    grown[bucket - first]!++;
  }
}
