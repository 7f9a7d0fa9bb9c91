import { Buffer } from 'node:buffer';

const FIRST_BYTES = 1 << 12;
const TWO_32 = 2 ** 32;

/** Bytes that grow, for formats of tables: little-endian. */
export class GrowingBytes {
  bytes: Buffer;
  length = 0;

  constructor(room = FIRST_BYTES) {
    this.bytes = Buffer.allocUnsafe(room);
  }

  /** What was written: valid until more is. */
  get written(): Buffer {
    return this.bytes.subarray(0, this.length);
  }

  /** Makes room for so many bytes. */
  room(more: number): void {
    if (this.length + more <= this.bytes.length) return;
    const bytes = Buffer.allocUnsafe(Math.max(2 * this.bytes.length, this.length + more));
    this.bytes.copy(bytes, 0, 0, this.length);
    this.bytes = bytes;
  }

  byte(value: number): void {
    this.room(1);
    this.bytes[this.length++] = value;
  }

  u16(value: number): void {
    this.room(2);
    this.length = this.bytes.writeUInt16LE(value, this.length);
  }

  u32(value: number): void {
    this.room(4);
    this.length = this.bytes.writeUInt32LE(value, this.length);
  }

  /** A whole number of 64 bits; beyond 2^53 its double is not exact. */
  i64(value: number): void {
    this.room(8);
    const high = Math.floor(value / TWO_32);
    const low = value - high * TWO_32;
    const { bytes } = this;
    const at = this.length;
    bytes[at] = low;
    bytes[at + 1] = low >>> 8;
    bytes[at + 2] = low >>> 16;
    bytes[at + 3] = low >>> 24;
    bytes[at + 4] = high;
    bytes[at + 5] = high >> 8;
    bytes[at + 6] = high >> 16;
    bytes[at + 7] = high >> 24;
    this.length = at + 8;
  }

  f64(value: number): void {
    this.room(8);
    this.length = this.bytes.writeDoubleLE(value, this.length);
  }

  /** A number in groups of seven bits, the lowest first (LEB128). */
  varint(value: number): void {
    let rest = value;
    while (rest >= 128) {
      this.byte((rest & 127) | 128);
      rest >>>= 7;
    }
    this.byte(rest);
  }

  /** The UTF-8 of a text, behind its length as `lengthOf` writes it. */
  text(text: string, lengthOf: 'u32' | 'varint'): void {
    const most = text.length * 3;
    this.room(most + 5);
    const prefix = lengthOf === 'u32' ? 4 : 1;
    const from = this.length + prefix;
    // Short ones, most of all, are written at once: their length is known afterwards.
    const size = text.length < 64 ? this.#short(text, from) : this.bytes.write(text, from, 'utf8');
    if (lengthOf === 'u32') this.bytes.writeUInt32LE(size, this.length);
    else if (size < 128) this.bytes[this.length] = size;
    else {
      const taken = Buffer.from(this.bytes.subarray(from, from + size));
      this.varint(size);
      this.put(taken);
      return;
    }
    this.length = from + size;
  }

  put(bytes: Uint8Array): void {
    this.room(bytes.length);
    this.bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  #short(text: string, from: number): number {
    const { bytes } = this;
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code > 127) return bytes.write(text, from, 'utf8');
      bytes[from + i] = code;
    }
    return text.length;
  }
}
