import { Int32Array_ as Words } from '../../base/primordials.js';

/** Places behind each other in which a text can stand: of 1000 texts in 4096 places none is without one. */
const WAYS = 4;
const MOST_PLACES = 16_384;

/**
 * Finds the entries of a table by texts whose hash the caller has computed, beside the Map of all keys: for a text that was made
 * for this look-up alone, V8 computes a hash behind a call, which makes the Map take twice the time. What finds no place is
 * found in the Map.
 */
export class FreshTexts {
  readonly #mask: number;
  /** 0: the place is free. */
  readonly #hashes: Int32Array;
  readonly #entries: Int32Array;
  #texts: string[] = [];

  /** @param entries that the table has at most */
  constructor(entries: number) {
    let places = 2 * WAYS;
    while (places < 2 * entries && places < MOST_PLACES) places *= 2;
    this.#mask = places - 1;
    this.#hashes = new Words(places);
    this.#entries = new Words(places);
    this.clear();
  }

  /** The entry of a text; -1: it is not here. */
  find(text: string, hash: number): number {
    const at = this.#place(text, hash);
    return at < 0 ? -1 : this.#entries[at]!;
  }

  #place(text: string, hash: number): number {
    const hashes = this.#hashes;
    for (let i = 0; i < WAYS; i++) {
      const at = (hash + i) & this.#mask;
      if (hashes[at] === hash && this.#texts[at] === text) return at;
    }
    return -1;
  }

  set(text: string, hash: number, entry: number): void {
    let at = hash & this.#mask;
    for (let i = 1; i < WAYS && this.#hashes[at] !== 0; i++) at = (hash + i) & this.#mask;
    this.#hashes[at] = hash;
    this.#entries[at] = entry;
    this.#texts[at] = text;
  }

  delete(text: string, hash: number): void {
    const at = this.#place(text, hash);
    if (at < 0) return;
    this.#hashes[at] = 0;
    this.#texts[at] = '';
  }

  clear(): void {
    const texts: string[] = [];
    for (let i = 0; i <= this.#mask; i++) {
      this.#hashes[i] = 0;
      texts[i] = '';
    }
    this.#texts = texts;
  }
}
