import { doubled } from '../base/doubled.js';

const decoder = new TextDecoder();
const FIRST_SIZE = 1024;

/** A byte of lower case in upper case. */
const upperOf = (byte: number): number => (byte >= 0x61 && byte <= 0x7a ? byte - 0x20 : byte);

/** Whether bytes have a word of lower case at a place, in any case. */
function isAt(bytes: Uint8Array, at: number, word: Uint8Array): boolean {
  for (let i = 1; i < word.length; i++) {
    const byte = bytes[at + i]!;
    if (byte !== word[i] && byte !== upperOf(word[i]!)) return false;
  }
  return true;
}

/** Texts as UTF-8 in one array, decoded when they are asked for: a recording can have millions. */
export class TimelineTexts {
  #bytes = new Uint8Array(FIRST_SIZE);
  #length = 0;
  #ends = new Float64Array(FIRST_SIZE);
  count = 0;

  add(bytes: Uint8Array): void {
    const end = this.#length + bytes.length;
    if (end > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(end, 2 * this.#bytes.length));
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    if (this.count === this.#ends.length) this.#ends = doubled(this.#ends);
    this.#bytes.set(bytes, this.#length);
    this.#length = end;
    this.#ends[this.count++] = end;
  }

  /** The text of a number; '' if there is none. */
  at(number: number): string {
    if (number < 0 || number >= this.count) return '';
    return decoder.decode(this.#bytes.subarray(number === 0 ? 0 : this.#ends[number - 1]!, this.#ends[number]!));
  }

  /**
   * The numbers of the texts that contain all of some words, without regard to case.
   * @param words at least one, in lower case
   */
  containing(words: readonly string[]): ReadonlySet<number> {
    const found = new Set<number>();
    // The longest is in the fewest texts; only these are decoded.
    const [longest = ''] = [...words].sort((a, b) => b.length - a.length);
    for (const number of this.#candidates(longest)) {
      const text = this.at(number).toLowerCase();
      if (words.every((word) => text.includes(word))) found.add(number);
    }
    return found;
  }

  /** The texts that may contain a word. Bytes tell it of ASCII; of other words all texts may. */
  *#candidates(word: string): Generator<number> {
    const ends = this.#ends;
    if (!/^[\x21-\x7e]+$/.test(word)) {
      for (let number = 0; number < this.count; number++) yield number;
      return;
    }
    const bytes = this.#bytes;
    const wanted = new TextEncoder().encode(word);
    const first = wanted[0]!;
    const upper = upperOf(first);
    const last = this.#length - wanted.length;
    for (let at = 0, number = 0; at <= last; at++) {
      if ((bytes[at] !== first && bytes[at] !== upper) || !isAt(bytes, at, wanted)) continue;
      while (ends[number]! <= at) number++;
      // One text is told of once.
      const end = ends[number]!;
      if (at + wanted.length <= end) {
        yield number;
        at = end - 1;
      }
    }
  }
}
