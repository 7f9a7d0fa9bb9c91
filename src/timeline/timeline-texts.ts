const decoder = new TextDecoder();
const FIRST_SIZE = 1024;

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
    if (this.count === this.#ends.length) {
      const more = new Float64Array(2 * this.count);
      more.set(this.#ends);
      this.#ends = more;
    }
    this.#bytes.set(bytes, this.#length);
    this.#length = end;
    this.#ends[this.count++] = end;
  }

  /** The text of a number; '' if there is none. */
  at(number: number): string {
    if (number < 0 || number >= this.count) return '';
    return decoder.decode(this.#bytes.subarray(number === 0 ? 0 : this.#ends[number - 1]!, this.#ends[number]!));
  }

  /** The numbers of the texts that a test takes. */
  matching(isTaken: (text: string) => boolean): ReadonlySet<number> {
    const found = new Set<number>();
    for (let number = 0; number < this.count; number++) if (isTaken(this.at(number))) found.add(number);
    return found;
  }
}
