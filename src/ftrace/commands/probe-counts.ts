const MOST = 0x7fffffffn;

/**
 * How often each of some functions' probes still fires: a 32-bit word each, which all threads count down. Larger counts begin
 * with the largest word; the rest of such a count follows from how far the word went down.
 */
export class ProbeCounts {
  readonly words: Int32Array;
  readonly #initial: bigint;
  readonly #start: bigint;

  constructor(length: number, initial: bigint) {
    this.#initial = initial;
    this.#start = initial > MOST ? MOST : initial < -1n ? -1n : initial;
    this.words = new Int32Array(new SharedArrayBuffer(length * 4));
    this.words.fill(Number(this.#start));
  }

  left(at: number): bigint {
    return this.#initial - (this.#start - BigInt(Atomics.load(this.words, at)));
  }
}
