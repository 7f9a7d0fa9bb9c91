const encoder = new TextEncoder();
const INITIAL_BYTES = 1 << 16;
const SPACE = 0x20;
const ZERO = 0x30;
const POWERS = [1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000] as const;

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
  bytes = new Uint8Array(INITIAL_BYTES);
  length = 0;

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
  }

  byte(value: number): void {
    if (this.length === this.bytes.length) this.reserve(1);
    this.bytes[this.length++] = value;
  }

  put(source: Uint8Array): void {
    const count = source.length;
    if (this.length + count > this.bytes.length) this.reserve(count);
    if (count > 64) {
      this.bytes.set(source, this.length);
      this.length += count;
      return;
    }
    const { bytes } = this;
    let at = this.length;
    for (let i = 0; i < count; i++) bytes[at++] = source[i]!;
    this.length = at;
  }

  /** Copies `count` bytes of a record. */
  putRange(source: Uint8Array, from: number, count: number): void {
    this.put(source.subarray(from, from + count));
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
    if (this.length + count > this.bytes.length) this.reserve(count);
    const { bytes } = this;
    let at = this.length;
    for (let i = 0; i < count; i++) bytes[at++] = byte;
    this.length = at;
  }

  spaces(count: number): void {
    this.fill(SPACE, count);
  }

  /** An integer below 2^53, right-aligned in `width` with `pad` (a space or `0`). */
  decimal(n: number, width = 0, pad = SPACE): void {
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
    return new TextDecoder().decode(this.bytes.subarray(0, this.length));
  }
}

/** The bytes of a text, for texts that are printed again and again. */
export const bytesOf = (text: string): Uint8Array => encoder.encode(text);
