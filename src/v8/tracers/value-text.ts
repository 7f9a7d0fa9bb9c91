import {
  Uint8Array_ as Bytes,
  StringPrototypeCharCodeAt as charCodeAt,
  MathImul as imul,
  Float64Array_ as Words,
} from '../../base/primordials.js';
import { characterAt, charBytes, charUnits, putCharacter } from '../../base/utf8.js';
import { ByteView, bufferOf, DIGITS } from './byte-view.js';
import { MOST_VALUE_BYTES, textLimits } from './text-limits.js';

/**
 * The text of one value as UTF-8, written directly into the record: building a string first and copying it would cost several
 * times as much. Uses functions saved before the program could replace them.
 */

// Taken before the program could replace them.

const stringOf = String;
/** More units than a string has. */
const ALL = 0x3fffffff;

/** The largest integer that is put together from three digits at once; larger ones are rare. */
const BILLION = 999_999_999;
/** Room that one of them needs: a sign, nine digits, and the fourth byte of a store. */
const INTEGER_BYTES = 11;
const MINUS = 0x2d;
const QUESTION_MARK = 0x3f;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const CUT = '…';
/** The character after the backslash, by the character's code. */
const ESCAPES = new Uint8Array(0x100).fill(QUESTION_MARK);
for (const [character, letter] of ['""', '\\\\', '\nn', '\rr', '\tt'])
  ESCAPES[charCodeAt(character!, 0)] = charCodeAt(letter!, 0);

/** Whether a character would break a line, or means something to a terminal. */
const isControl = (code: number): boolean => code < 0x20 || (code >= 0x7f && code < 0xa0) || code === 0x2028 || code === 0x2029;

/** Stores the digits of 0 to 999 without leading zeros. @returns their count */
function putLeading(view: ByteView, at: number, value: number): number {
  const count = value < 10 ? 1 : value < 100 ? 2 : 3;
  view.put4(at, DIGITS[value]! >>> (24 - 8 * count), true);
  return count;
}

/**
 * The text as a sum, of which V8 knows that it is a string, and reads its length in one load: that of a parameter is a call where
 * strings of more than four kinds come by (6 instead of 10 ns).
 */
// biome-ignore lint/style/useTemplate: V8 calls a builtin for a template
const typed = (text: string): string => '' + text;

export class ValueText {
  #bytes: Uint8Array = new Uint8Array(0);
  #view = new ByteView(new ArrayBuffer(0));
  #at = 0;
  #limit = 0;

  /**
   * Begins a value at byte `at` of `bytes`, the whole of a buffer. It takes at most textLimits.value bytes, and ends where a
   * character ends.
   */
  start(bytes: Uint8Array, at: number): void {
    this.open(bytes);
    this.#at = at;
    this.#limit = at + textLimits.value;
  }

  /** The view of `bytes`, the whole of a buffer, that the next value is written through. */
  open(bytes: Uint8Array): ByteView {
    if (bytes !== this.#bytes) {
      this.#bytes = bytes;
      this.#view = new ByteView(bufferOf(bytes));
    }
    return this.#view;
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
  add(text: string, most = ALL): this {
    const { length: whole } = typed(text);
    const length = whole < most ? whole : most;
    for (let i = this.#addPlain(text, length); i < length; i++) {
      const code = charCodeAt(text, i);
      if (code < 0x80) this.#ascii(code < 0x20 || code === 0x7f ? QUESTION_MARK : code);
      else if (this.#beyondAscii(text, i, length, code)) i++;
    }
    return length < whole ? this.add(CUT) : this;
  }

  /** Adds a text in quotes: what would break a line or the quotes is escaped. */
  addQuoted(text: string, most: number): this {
    const { length: whole } = typed(text);
    const length = whole < most ? whole : most;
    this.#ascii(QUOTE);
    for (let i = this.#addPlain(text, length); i < length; i++) {
      const code = charCodeAt(text, i);
      if (code >= 0x20 && code < 0x7f && code !== QUOTE && code !== BACKSLASH) this.#ascii(code);
      else if (code < 0x80 || isControl(code)) {
        this.#ascii(BACKSLASH);
        this.#ascii(ESCAPES[code] ?? QUESTION_MARK);
      } else if (this.#beyondAscii(text, i, length, code)) i++;
    }
    if (length < whole) this.add(CUT);
    this.#ascii(QUOTE);
    return this;
  }

  /** Appends what was prepared, as `add(prepared.text)` does. */
  addPrepared(prepared: PreparedText): this {
    const { words, first, length } = prepared;
    const at = this.#at;
    if (at + length + 7 > this.#limit) return this.add(prepared.text);
    const view = this.#view;
    // What the last store puts behind the text, the next text or the record's padding replaces.
    view.put8(at, first, true);
    if (length > 8) for (let i = 1; i < words.length; i++) view.put8(at + i * 8, words[i]!, true);
    this.#at = at + length;
    return this;
  }

  /**
   * Appends the decimal form of an integer of 32 bits, three digits at once. Fields are kept in variables: in helpers it took 6 %
   * longer. Without `| 0`, V8 computes with doubles.
   */
  addInteger(value: number): this {
    let at = this.#at;
    if (at + INTEGER_BYTES > this.#limit || value > BILLION || value < -BILLION) return this.add(stringOf(value));
    const view = this.#view;
    let rest = value | 0;
    if (rest < 0) {
      this.#bytes[at++] = MINUS;
      rest = -rest | 0;
    }
    if (rest >= 1000) {
      let thousands = (rest / 1000) | 0;
      rest = (rest - imul(thousands, 1000)) | 0;
      if (thousands >= 1000) {
        const millions = (thousands / 1000) | 0;
        thousands = (thousands - imul(millions, 1000)) | 0;
        at = (at + putLeading(view, at, millions)) | 0;
        view.put4(at, DIGITS[thousands]!, true);
        at = (at + 3) | 0;
      } else at = (at + putLeading(view, at, thousands)) | 0;
      view.put4(at, DIGITS[rest]!, true);
      this.#at = at + 3;
    } else this.#at = at + putLeading(view, at, rest);
    return this;
  }

  /** Appends the first units that are one byte each and need no escape in quotes. @returns the first that it left */
  #addPlain(text: string, length: number): number {
    const bytes = this.#bytes;
    const room = this.#limit - this.#at;
    const stop = length < room ? length : room;
    let at = this.#at;
    let i = 0;
    for (; i < stop; i++) {
      const code = charCodeAt(text, i);
      if (code < 0x20 || code >= 0x7f || code === QUOTE || code === BACKSLASH) break;
      bytes[at++] = code;
    }
    this.#at = at;
    return i;
  }

  #ascii(code: number): void {
    if (this.#at < this.#limit) this.#bytes[this.#at++] = code;
  }

  /** Appends the character that begins at `i`. @returns whether it was two units */
  #beyondAscii(text: string, i: number, end: number, unit: number): boolean {
    if (isControl(unit)) {
      this.#ascii(QUESTION_MARK);
      return false;
    }
    const code = characterAt(text, i, end);
    if (this.#at + charBytes(code) > this.#limit) this.#limit = this.#at;
    else this.#at = putCharacter(this.#bytes, this.#at, code);
    return charUnits(code) === 2;
  }
}

/** Text that is appended often. */
export interface PreparedText {
  readonly text: string;
  /** What `add` makes of it, eight bytes a word, and zeros to the end of the last one. */
  readonly words: Float64Array;
  /** The first of them: most texts have no other. */
  readonly first: number;
  readonly length: number;
}

const scratch = new ArrayBuffer(MOST_VALUE_BYTES);
const scratchBytes = new Bytes(scratch);
const scratchWords = new Words(scratch);
const preparing = new ValueText();

/** Prepares a text, cut where a value's text ends. */
export function prepare(text: string): PreparedText {
  for (let i = 0; i < MOST_VALUE_BYTES / 8; i++) scratchWords[i] = 0;
  preparing.start(scratchBytes, 0);
  const length = preparing.add(text).end;
  const words = new Words((length + 7) >>> 3);
  for (let i = 0; i < words.length; i++) words[i] = scratchWords[i]!;
  return { text, words, first: words[0] ?? 0, length };
}
