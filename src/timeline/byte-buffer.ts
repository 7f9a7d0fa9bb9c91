const FIRST_SIZE = 1024;
/** Above this, bits are taken by division: an operator on bits has 32. */
const BITS = 0x7fffffff;
const encoder = new TextEncoder();

/** Bytes that grow at the end. */
export class ByteBuffer {
  #bytes = new Uint8Array(FIRST_SIZE);
  length = 0;

  /** What was written so far. It is valid until the next write. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.length);
  }

  clear(): void {
    this.length = 0;
  }

  byte(value: number): void {
    if (this.length === this.#bytes.length) this.#grow(1);
    this.#bytes[this.length++] = value;
  }

  /** A whole number from 0 to 2 ** 53. */
  varint(value: number): void {
    let rest = value;
    while (rest > BITS) {
      this.byte((rest % 128) + 128);
      rest = Math.floor(rest / 128);
    }
    while (rest > 127) {
      this.byte((rest & 127) | 128);
      rest >>>= 7;
    }
    this.byte(rest);
  }

  /** A whole number that may be negative. */
  zigzag(value: number): void {
    this.varint(value < 0 ? -2 * value - 1 : 2 * value);
  }

  /** A 32-bit number, little-endian. */
  word(value: number): void {
    for (let shift = 0; shift < 32; shift += 8) this.byte((value >>> shift) & 255);
  }

  double(value: number): void {
    this.append(new Uint8Array(Float64Array.of(value).buffer));
  }

  append(bytes: Uint8Array): void {
    if (this.length + bytes.length > this.#bytes.length) this.#grow(bytes.length);
    this.#bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  text(text: string): void {
    this.append(encoder.encode(text));
  }

  #grow(more: number): void {
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.length + more));
    larger.set(this.bytes);
    this.#bytes = larger;
  }
}
