/**
 * The text of one value as UTF-8, written where it is to stand: a string put together first and copied then would cost
 * several times as much. Uses functions taken before the program could replace them.
 */

const { call } = Function.prototype;
const charCodeAt = call.bind(String.prototype.charCodeAt) as (text: string, index: number) => number;

/** Bytes that one value takes at most; the record's length field is one byte. */
export const MAX_VALUE_BYTES = 120;

const QUESTION_MARK = 0x3f;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const CUT = '…';
/** What stands behind the backslash, by the character's code. */
const ESCAPES = new Uint8Array(0x100).fill(QUESTION_MARK);
for (const [character, letter] of ['""', '\\\\', '\nn', '\rr', '\tt'])
  ESCAPES[charCodeAt(character!, 0)] = charCodeAt(letter!, 0);

/** Whether a character would break a line, or means something to a terminal. */
const isControl = (code: number): boolean => code < 0x20 || (code >= 0x7f && code < 0xa0) || code === 0x2028 || code === 0x2029;

export class ValueText {
  #bytes: Uint8Array = new Uint8Array(0);
  #at = 0;
  #limit = 0;

  /** Begins a value at byte `at` of `bytes`. It takes at most MAX_VALUE_BYTES, and ends where a character ends. */
  start(bytes: Uint8Array, at: number): void {
    this.#bytes = bytes;
    this.#at = at;
    this.#limit = at + MAX_VALUE_BYTES;
  }

  /** The byte after what was written. */
  get end(): number {
    return this.#at;
  }

  /** Whether nothing more would be written. */
  get full(): boolean {
    return this.#at >= this.#limit;
  }

  /**
   * Appends at most `most` UTF-16 units of `text`, and says so when it is cut. Control characters, which the names of keys,
   * functions and classes may have, become question marks: a record is shown on one line.
   */
  add(text: string, most = text.length): this {
    const length = text.length < most ? text.length : most;
    for (let i = 0; i < length; i++) {
      const code = charCodeAt(text, i);
      if (code < 0x80) this.#ascii(code < 0x20 || code === 0x7f ? QUESTION_MARK : code);
      else if (this.#beyondAscii(text, i, length, code)) i++;
    }
    return length < text.length ? this.add(CUT) : this;
  }

  /** The same in quotes: what would break a line or the quotes is escaped. */
  addQuoted(text: string, most: number): this {
    const length = text.length < most ? text.length : most;
    this.#ascii(QUOTE);
    for (let i = 0; i < length; i++) {
      const code = charCodeAt(text, i);
      if (code >= 0x20 && code < 0x7f && code !== QUOTE && code !== BACKSLASH) this.#ascii(code);
      else if (code < 0x80 || isControl(code)) {
        this.#ascii(BACKSLASH);
        this.#ascii(ESCAPES[code] ?? QUESTION_MARK);
      } else if (this.#beyondAscii(text, i, length, code)) i++;
    }
    if (length < text.length) this.add(CUT);
    this.#ascii(QUOTE);
    return this;
  }

  #ascii(code: number): void {
    if (this.#at < this.#limit) this.#bytes[this.#at++] = code;
  }

  /** Appends the character that begins at `i`. @returns whether it was two units */
  #beyondAscii(text: string, i: number, length: number, unit: number): boolean {
    if (isControl(unit)) {
      this.#ascii(QUESTION_MARK);
      return false;
    }
    let code = unit;
    if (unit >= 0xd800 && unit < 0xe000) {
      const low = i + 1 < length ? charCodeAt(text, i + 1) : 0;
      code = unit < 0xdc00 && low >= 0xdc00 && low < 0xe000 ? 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00) : 0xfffd;
    }
    const size = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (this.#at + size > this.#limit) this.#limit = this.#at;
    else {
      const bytes = this.#bytes;
      if (size === 2) bytes[this.#at++] = 0xc0 | (code >> 6);
      else {
        if (size === 3) bytes[this.#at++] = 0xe0 | (code >> 12);
        else {
          bytes[this.#at++] = 0xf0 | (code >> 18);
          bytes[this.#at++] = 0x80 | ((code >> 12) & 0x3f);
        }
        bytes[this.#at++] = 0x80 | ((code >> 6) & 0x3f);
      }
      bytes[this.#at++] = 0x80 | (code & 0x3f);
    }
    return size === 4;
  }
}
