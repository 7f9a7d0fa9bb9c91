import type { StoredText } from './stored-text.js';

const encoder = new TextEncoder();
const INITIAL_BYTES = 1 << 16;
const COPIED_AT_ONCE = 64;
/** A word is written as a whole also where fewer of its bytes are wanted. */
const SPARE = 4;
/** Bytes of a number that is copied at once. */
const NUMBER = 8;
const SPACE = 0x20;
const ZERO = 0x30;
const POWERS = [1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000] as const;

/** The three digits of 0 to 999, the first in the lowest bits. */
const TRIPLES = Int32Array.from({ length: 1000 }, (_, n) => {
  const [hundreds, tens, ones] = [Math.floor(n / 100), Math.floor(n / 10) % 10, n % 10];
  return (ZERO + hundreds) | ((ZERO + tens) << 8) | ((ZERO + ones) << 16);
});

/** Digits of an integer >= 0 that may pass 2^32. */
function digits(n: number): number {
  let count = 1;
  while (n >= 1e9) {
    n = Math.floor(n / 1e9);
    count += 9;
  }
  while (count % 9 !== 0 && n >= POWERS[((count - 1) % 9) + 1]!) count++;
  return count;
}

/**
 * A growing line of bytes (struct trace_seq): what the formatters write into. They write bytes, not strings, because
 * a million lines are printed from few distinct names; each name is encoded once and copied from then on.
 */
export class TraceSeq {
  bytes: Uint8Array;
  #view: DataView;
  length = 0;

  /** @param room bytes that are there before it has to grow */
  constructor(room = INITIAL_BYTES) {
    this.bytes = new Uint8Array(room);
    this.#view = new DataView(this.bytes.buffer);
  }

  /** Returns a copy of the written bytes, and empties the line. */
  take(): Uint8Array {
    const taken = this.bytes.slice(0, this.length);
    this.length = 0;
    return taken;
  }

  /** Makes room for `count` more bytes. */
  reserve(count: number): void {
    const needed = this.length + count;
    if (needed <= this.bytes.length) return;
    const grown = new Uint8Array(Math.max(needed, this.bytes.length * 2));
    grown.set(this.bytes.subarray(0, this.length));
    this.bytes = grown;
    this.#view = new DataView(grown.buffer);
  }

  byte(value: number): void {
    if (this.length === this.bytes.length) this.reserve(1);
    this.bytes[this.length++] = value;
  }

  put({ words, length }: StoredText): void {
    const at = this.length;
    if (at + length + SPARE > this.bytes.length) this.reserve(length + SPARE);
    const view = this.#view;
    for (let i = 0; i < words.length; i++) view.setInt32(at + i * 4, words[i]!, true);
    this.length = at + length;
  }

  /** Copies `count` bytes of a record. */
  putRange(source: Uint8Array, from: number, count: number): void {
    const at = this.length;
    if (at + count > this.bytes.length) this.reserve(count);
    const { bytes } = this;
    // set() is slow for a few bytes.
    if (count > COPIED_AT_ONCE) bytes.set(source.subarray(from, from + count), at);
    else for (let i = 0; i < count; i++) bytes[at + i] = source[from + i]!;
    this.length = at + count;
  }

  /** Copies another line, of text: bytes that are no UTF-8 might change, as they are copied like numbers. */
  putLine(line: TraceSeq): void {
    const { bytes: source, length } = line;
    const view = line.#view;
    const at = this.length;
    if (at + length + NUMBER > this.bytes.length) this.reserve(length + NUMBER);
    const whole = Math.min(length, source.length - NUMBER);
    const target = this.#view;
    let i = 0;
    for (; i < whole; i += NUMBER) target.setFloat64(at + i, view.getFloat64(i, true), true);
    for (; i < length; i++) this.bytes[at + i] = source[i]!;
    this.length = at + length;
  }

  /** Any text; short ASCII is the usual case. */
  text(value: string): void {
    const count = value.length;
    if (this.length + count * 3 > this.bytes.length) this.reserve(count * 3);
    const { bytes } = this;
    let at = this.length;
    for (let i = 0; i < count; i++) {
      const code = value.charCodeAt(i);
      if (code > 0x7f) {
        this.length += encoder.encodeInto(value, bytes.subarray(this.length)).written;
        return;
      }
      bytes[at++] = code;
    }
    this.length = at;
  }

  fill(byte: number, count: number): void {
    if (count <= 0) return;
    const at = this.length;
    if (at + count + SPARE > this.bytes.length) this.reserve(count + SPARE);
    const view = this.#view;
    const word = Math.imul(byte, 0x01010101);
    for (let i = 0; i < count; i += 4) view.setInt32(at + i, word, true);
    this.length = at + count;
  }

  spaces(count: number): void {
    this.fill(SPACE, count);
  }

  /** An integer below 2^53, right-aligned in `width` with `pad` (a space or `0`). */
  decimal(n: number, width = 0, pad = SPACE): void {
    if (n >= 0 && n < 1000 && width === 0) {
      this.#small(n);
      return;
    }
    if (n < 0) {
      this.text(String(n).padStart(width, String.fromCharCode(pad)));
      return;
    }
    const count = digits(n);
    this.fill(pad, width - count);
    if (this.length + count > this.bytes.length) this.reserve(count);
    const { bytes } = this;
    let at = this.length + count;
    this.length = at;
    while (n >= 1e9) {
      const high = Math.floor(n / 1e9);
      let low = (n - high * 1e9) | 0;
      for (let i = 0; i < 9; i++) {
        const next = (low / 10) | 0;
        bytes[--at] = ZERO + (low - next * 10);
        low = next;
      }
      n = high;
    }
    let small = n | 0;
    do {
      const next = (small / 10) | 0;
      bytes[--at] = ZERO + (small - next * 10);
      small = next;
    } while (small > 0);
  }

  /** A number below 1000. */
  #small(n: number): void {
    const at = this.length;
    if (at + SPARE > this.bytes.length) this.reserve(SPARE);
    const blanks = n >= 100 ? 0 : n >= 10 ? 1 : 2;
    this.#view.setInt32(at, TRIPLES[n]! >>> (blanks * 8), true);
    this.length = at + 3 - blanks;
  }

  /** The three digits of a number below 1000. */
  triple(value: number): void {
    const at = this.length;
    if (at + SPARE > this.bytes.length) this.reserve(SPARE);
    this.#view.setInt32(at, TRIPLES[value]!, true);
    this.length = at + 3;
  }

  /** Lower-case hex of an unsigned 32-bit number, zero-padded to `width`. */
  hex(n: number, width = 0): void {
    this.text((n >>> 0).toString(16).padStart(width, '0'));
  }

  /** `%lx` of a 64-bit number. */
  hex64(high: number, low: number): void {
    if (high !== 0) {
      this.hex(high);
      this.hex(low, 8);
    } else this.hex(low);
  }

  toString(): string {
    return Buffer.from(this.bytes.buffer, 0, this.length).toString('utf8');
  }
}
