/** A growable set of function numbers, one bit each. */
export class FunctionSet {
  #words: Uint32Array;
  #size: number;

  constructor(from?: FunctionSet) {
    this.#words = from ? from.#words.slice() : new Uint32Array(32);
    this.#size = from ? from.#size : 0;
  }

  get size(): number {
    return this.#size;
  }

  has(n: number): boolean {
    const at = n >>> 5;
    return at < this.#words.length && (this.#words[at]! & (1 << (n & 31))) !== 0;
  }

  add(n: number): void {
    const at = n >>> 5;
    if (at >= this.#words.length) this.#grow(at + 1);
    const bit = 1 << (n & 31);
    if ((this.#words[at]! & bit) !== 0) return;
    this.#words[at]! |= bit;
    this.#size++;
  }

  delete(n: number): void {
    if (!this.has(n)) return;
    this.#words[n >>> 5]! &= ~(1 << (n & 31));
    this.#size--;
  }

  /** The members in ascending order. */
  *[Symbol.iterator](): Generator<number> {
    for (let at = 0; at < this.#words.length; at++) {
      for (let word = this.#words[at]!; word !== 0; word &= word - 1) yield at * 32 + (31 - Math.clz32(word & -word));
    }
  }

  /** A copy of the bits, 32 functions a word, for a thread that only tests membership. */
  toWords(): Uint32Array {
    return this.#words.slice();
  }

  #grow(words: number): void {
    const grown = new Uint32Array(Math.max(words, this.#words.length * 2));
    grown.set(this.#words);
    this.#words = grown;
  }
}
