import { asTraceError } from '../../base/errno.js';
import { wordAt } from '../elf/elf-file.js';

/** Bits of a LEB128 number that a JavaScript number holds exactly. */
const EXACT_BITS = 53;

/** Reads the numbers and texts of a DWARF section in turn. @throws RangeError behind its end */
export class DwarfReader {
  readonly bytes: Buffer;
  at: number;

  constructor(bytes: Buffer, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  u8(): number {
    return this.bytes.readUInt8(this.skip(1));
  }

  i8(): number {
    return this.bytes.readInt8(this.skip(1));
  }

  u16(): number {
    return this.bytes.readUInt16LE(this.skip(2));
  }

  u32(): number {
    return this.bytes.readUInt32LE(this.skip(4));
  }

  /** An address, or a length of 64 bits. */
  u64(): number {
    return wordAt(this.bytes, this.skip(8));
  }

  /** A length, and how large offsets are in what it is the length of. */
  length(): { readonly length: number; readonly offsetBytes: 4 | 8 } {
    const length = this.u32();
    return length === 0xffffffff ? { length: this.u64(), offsetBytes: 8 } : { length, offsetBytes: 4 };
  }

  offset(bytes: 4 | 8): number {
    return bytes === 8 ? this.u64() : this.u32();
  }

  uleb(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.u8();
      if (shift < EXACT_BITS) value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  }

  sleb(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.u8();
      if (shift < EXACT_BITS) value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return (byte & 0x40) === 0 ? value : value - 2 ** (shift + 7);
    }
  }

  /** A text that a 0 ends. */
  text(): string {
    const end = this.bytes.indexOf(0, this.at);
    if (end < 0) throw new RangeError('a text without an end');
    const text = this.bytes.toString('utf8', this.at, end);
    this.at = end + 1;
    return text;
  }

  /** Goes on behind so many bytes; returns where they begin. */
  skip(bytes: number): number {
    const from = this.at;
    if (bytes < 0 || from + bytes > this.bytes.length) throw new RangeError('behind the end');
    this.at = from + bytes;
    return from;
  }
}

/** What `read` returns; undefined if the debug information is damaged there. Other errors go on. */
export function unlessDamaged<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError || asTraceError(error).errno === 'ENOEXEC') return undefined;
    throw error;
  }
}
