/** Gives so many zero bytes, or more. */
export type Allocate = (bytes: number) => SharedArrayBuffer;

export const allocateHere: Allocate = (bytes) => new SharedArrayBuffer(bytes);

const MOST = 0x7fffffffn;

/**
 * How often each of some functions' probes still fires: a 32-bit word each, which all threads count down. Larger counts begin
 * with the largest word; the rest of such a count follows from how far the word went down.
 */
export class ProbeCounts {
  readonly words: Int32Array;
  readonly #initial: bigint;
  readonly #start: bigint;

  /** @param allocate gives memory that all threads can write to */
  constructor(length: number, initial: bigint, allocate: Allocate = allocateHere) {
    this.#initial = initial;
    this.#start = initial > MOST ? MOST : initial < -1n ? -1n : initial;
    this.words = new Int32Array(allocate(length * 4), 0, length);
    this.words.fill(Number(this.#start));
  }

  left(at: number): bigint {
    return this.#initial - (this.#start - BigInt(Atomics.load(this.words, at)));
  }
}
