/** The most batches that are kept: enough for a rank test to tell any change from chance among 100,000 functions. */
const MOST = 64;

/**
 * Durations in the order in which they came, as at most 64 batches of equally many, each with the mean of its logarithms. Calls
 * that follow each other are slow together, when the machine is busy say: batches are independent of each other where calls are
 * not. One call that had to wait for a core hardly moves its batch.
 */
export class DurationBatches {
  /** Sums of the logarithms (base 2) of each full batch. */
  #sums: number[] = [];
  /** Durations of a batch. */
  #size = 1;
  #sum = 0;
  #count = 0;

  add(ns: number): void {
    this.#sum += Math.log2(Math.max(ns, 1));
    if (++this.#count < this.#size) return;
    this.#sums.push(this.#sum);
    this.#sum = 0;
    this.#count = 0;
    if (this.#sums.length < MOST) return;
    this.#size *= 2;
    this.#sums = Array.from({ length: MOST / 2 }, (_, i) => this.#sums[2 * i]! + this.#sums[2 * i + 1]!);
  }

  /** The mean logarithm (base 2) of the nanoseconds of each full batch. */
  means(): readonly number[] {
    return this.#sums.map((sum) => sum / this.#size);
  }
}
