import type { TraceDatError } from './trace-dat-error.js';

/** Reads little-endian numbers and texts from bytes, one after the other. */
export class ByteReader {
  readonly #bytes: Buffer;
  readonly #fail: (at: number, problem: string) => TraceDatError;
  #at = 0;
  #ranOut = false;

  /** `fail` makes the error for a place in `bytes`. */
  constructor(bytes: Buffer, fail: (at: number, problem: string) => TraceDatError) {
    this.#bytes = bytes;
    this.#fail = fail;
  }

  get position(): number {
    return this.#at;
  }

  get left(): number {
    return this.#bytes.length - this.#at;
  }

  /** A read went past the end. */
  get ranOut(): boolean {
    return this.#ranOut;
  }

  #take(count: number, what: string): number {
    const at = this.#at;
    this.#ranOut ||= count > this.left;
    if (this.#ranOut) throw this.#fail(at, `expected ${what} of ${count} bytes, but only ${this.left} are left`);
    this.#at = at + count;
    return at;
  }

  u8(what: string): number {
    return this.#bytes.readUInt8(this.#take(1, what));
  }

  u16(what: string): number {
    return this.#bytes.readUInt16LE(this.#take(2, what));
  }

  u32(what: string): number {
    return this.#bytes.readUInt32LE(this.#take(4, what));
  }

  u64(what: string): bigint {
    return this.#bytes.readBigUInt64LE(this.#take(8, what));
  }

  /** A u64 that must be an offset or a size in a file. */
  size(what: string): number {
    const at = this.#at;
    const value = this.u64(what);
    if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw this.#fail(at, `expected ${what}, found ${value}, which no file can hold`);
    return Number(value);
  }

  bytes(count: number, what: string): Buffer {
    const at = this.#take(count, what);
    return this.#bytes.subarray(at, at + count);
  }

  text(count: number, what: string): string {
    return this.bytes(count, what).toString('utf8');
  }

  /** A text up to its NUL. */
  cstring(what: string): string {
    const end = this.#bytes.indexOf(0, this.#at);
    this.#ranOut ||= end < 0;
    if (this.#ranOut) throw this.#fail(this.#at, `expected ${what} ended by a zero byte`);
    const text = this.#bytes.toString('utf8', this.#at, end);
    this.#at = end + 1;
    return text;
  }

  /** Throws the error for what was just read. */
  fail(problem: string, at = this.#at): never {
    throw this.#fail(at, problem);
  }
}
