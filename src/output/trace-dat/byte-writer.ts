/** Composes little-endian bytes in memory; grows as needed. */
export class ByteWriter {
  #bytes = Buffer.alloc(4096);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** The written bytes; valid until the next write. */
  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  #room(count: number): number {
    const at = this.#length;
    if (at + count > this.#bytes.length) {
      const grown = Buffer.alloc(Math.max(at + count, this.#bytes.length * 2));
      this.#bytes.copy(grown, 0, 0, at);
      this.#bytes = grown;
    }
    this.#length = at + count;
    return at;
  }

  u16(value: number): this {
    const at = this.#room(2);
    this.#bytes.writeUInt16LE(value, at);
    return this;
  }

  u32(value: number): this {
    const at = this.#room(4);
    this.#bytes.writeUInt32LE(value, at);
    return this;
  }

  u64(value: number | bigint): this {
    const at = this.#room(8);
    this.#bytes.writeBigUInt64LE(BigInt(value), at);
    return this;
  }

  raw(value: Uint8Array): this {
    const at = this.#room(value.length);
    this.#bytes.set(value, at);
    return this;
  }

  text(value: string): this {
    return this.raw(Buffer.from(value, 'utf8'));
  }

  /** A string with its terminating NUL; a NUL inside ends it early, as C would read it. */
  cstring(value: string): this {
    const end = value.indexOf('\0');
    return this.text(`${end < 0 ? value : value.slice(0, end)}\0`);
  }

  /** A text preceded by its length as u64. */
  sized(value: string): this {
    const bytes = Buffer.from(value, 'utf8');
    return this.u64(bytes.length).raw(bytes);
  }
}
