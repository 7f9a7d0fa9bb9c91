/** Bytes of a chunk: a small program does not fill one, and the system gives it pages as they are first written. */
const CHUNK = 16 * 1024;
/** Bytes that are worth memory of their own: less would leave holes at the ends of chunks. */
const LARGE = CHUNK / 4;

/** Where bytes are kept. */
export interface KeptBytes {
  readonly chunk: Uint8Array;
  readonly at: number;
}

/** Keeps short sequences of bytes in common memory. Alone, each would take some 300 bytes more, for V8's objects around it. */
export class ByteKeeper {
  #chunk = new Uint8Array(0);
  #used = 0;

  /** Copies them. The memory is given back when all that is kept in it is forgotten. */
  keep(bytes: Uint8Array): KeptBytes {
    const { length } = bytes;
    if (length >= LARGE) return { chunk: bytes.slice(), at: 0 };
    if (this.#used + length > this.#chunk.length) {
      this.#chunk = new Uint8Array(CHUNK);
      this.#used = 0;
    }
    const at = this.#used;
    this.#chunk.set(bytes, at);
    this.#used += length;
    return { chunk: this.#chunk, at };
  }
}
