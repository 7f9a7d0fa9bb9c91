/** Buckets for each doubling: each is some 2 % wide. */
const PER_DOUBLING = 32;
/** The buckets that are added at least; else as many as there are. */
const GROWTH = 16;

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
    const bucket = ns < 1 ? 0 : Math.floor(Math.log2(ns) * PER_DOUBLING);
    const at = bucket - this.#first;
    if (at >= 0 && at < this.#counts.length) this.#counts[at]!++;
    else this.#grow(bucket);
  }

  /** The duration that this part of all calls did not exceed, 0.5 for the median; 0 if there was none. */
  quantile(part: number): number {
    let left = Math.max(1, Math.ceil(this.count * part));
    if (left >= this.count) return this.#most;
    for (let at = 0; at < this.#counts.length; at++) {
      left -= this.#counts[at]!;
      if (left > 0) continue;
      const middle = 2 ** ((this.#first + at + 0.5) / PER_DOUBLING);
      return Math.min(Math.max(middle, this.#least), this.#most);
    }
    return this.#most;
  }

  /** Takes all durations out, and keeps the memory. */
  clear(): void {
    this.count = 0;
    this.#least = Infinity;
    this.#most = 0;
    this.#counts.fill(0);
  }

  #grow(bucket: number): void {
    const old = this.#counts;
    const more = Math.max(GROWTH, old.length);
    const first = old.length === 0 ? bucket : bucket < this.#first ? Math.max(0, bucket - more) : this.#first;
    const end = old.length === 0 || bucket >= this.#first + old.length ? bucket + more : this.#first + old.length;
    const grown = new Uint32Array(end - first);
    grown.set(old, old.length === 0 ? 0 : this.#first - first);
    this.#counts = grown;
    this.#first = first;
    grown[bucket - first]!++;
  }
}
