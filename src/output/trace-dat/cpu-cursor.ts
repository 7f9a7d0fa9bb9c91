import type { PageSource } from './page-source.js';

const HEADER_BYTES = 16;
/** The commit word's bits (include/linux/ring_buffer.h and what a reader of raw pages sees). */
const COMMIT_SIZE = (1 << 27) - 1;
const MISSED_EVENTS = 0x80000000 | 0;
const MISSED_STORED = 0x40000000;

const TYPE_PADDING = 29;
const TYPE_TIME_EXTEND = 30;
const TYPE_TIME_STAMP = 31;

const TWO_27 = 2 ** 27;
const TWO_32 = 2 ** 32;

/** A time that others are counted from: a u64 of ns (or of what the clock counts) in two halves. */
export interface TimeOrigin {
  readonly high: number;
  readonly low: number;
}

/**
 * Walks the events of one CPU. After `next()` the fields describe the event it stands on. The bytes of an event
 * stay as they are until the cursor has moved on by a whole window.
 */
export class CpuCursor {
  readonly cpu: number;
  /** Since the origin. */
  time = 0;
  /** The window that holds the event, as bytes and as little-endian words. */
  bytes: Uint8Array;
  words: Int32Array;
  /** Where the payload begins, in bytes and in words of the window. */
  at = 0;
  word = 0;
  /** Bytes of the payload, as the ring buffer rounded it up. */
  size = 0;
  /** Events lost just before this one: -1 when their number is not known. */
  missed = 0;
  /** What was wrong with pages that had to be left out. */
  damage: string | undefined;

  readonly #source: PageSource;
  readonly #subbufBytes: number;
  readonly #origin: TimeOrigin;
  #spareBytes: Uint8Array;
  #spareWords: Int32Array;
  /** Bytes of the window that hold sub-buffers. */
  #filled = 0;
  /** The sub-buffer after the present one. */
  #nextPage = 0;
  /** Where the next event's header is, and where the sub-buffer's data end, in words of the window. */
  #nextWord = 0;
  #endWord = 0;
  #pageHigh = 0;
  #pageMissed = 0;

  /** Reads `windowBytes` (whole sub-buffers) at a time; holds two windows. */
  constructor(cpu: number, source: PageSource, subbufBytes: number, windowBytes: number, origin: TimeOrigin) {
    this.cpu = cpu;
    this.#source = source;
    this.#subbufBytes = subbufBytes;
    this.#origin = origin;
    const window = Math.max(windowBytes - (windowBytes % subbufBytes), subbufBytes);
    this.bytes = new Uint8Array(window);
    this.words = new Int32Array(this.bytes.buffer);
    this.#spareBytes = new Uint8Array(window);
    this.#spareWords = new Int32Array(this.#spareBytes.buffer);
  }

  /** Moves to the next event; false when there is none. */
  next(): boolean {
    let at = this.#nextWord;
    for (;;) {
      if (at >= this.#endWord) {
        if (!this.#page()) return false;
        at = this.#nextWord;
        continue;
      }
      const words = this.words;
      const header = words[at]!;
      const type = header & 31;
      const delta = header >>> 5;
      at++;
      if (type !== 0 && type < TYPE_PADDING) {
        this.time += delta;
        return this.#event(at, type);
      }
      const extra = words[at]!;
      at++;
      if (type === TYPE_TIME_EXTEND) {
        this.time += (extra >>> 0) * TWO_27 + delta;
      } else if (type === TYPE_TIME_STAMP) {
        this.#setTime((extra >>> 5) | (this.#pageHigh & 0xf8000000), (extra << 27) | delta);
      } else if (type === TYPE_PADDING) {
        if (delta === 0) at = this.#endWord;
        else {
          this.time += delta;
          at += ((extra >>> 0) - 1) >> 2;
        }
      } else {
        this.time += delta;
        return this.#event(at, ((extra >>> 0) - 1) >> 2);
      }
    }
  }

  #event(at: number, length: number): boolean {
    if (length <= 0 || at + length > this.#endWord) {
      this.#damaged('an event runs past the end of its sub-buffer');
      return this.next();
    }
    this.word = at;
    this.at = at * 4;
    this.size = length * 4;
    this.#nextWord = at + length;
    this.missed = this.#pageMissed;
    this.#pageMissed = 0;
    return true;
  }

  #damaged(what: string): void {
    this.damage ??= what;
    this.#nextWord = this.#endWord;
  }

  #setTime(high: number, low: number): void {
    this.time = ((high >>> 0) - this.#origin.high) * TWO_32 + ((low >>> 0) - this.#origin.low);
  }

  /** Enters the next sub-buffer. */
  #page(): boolean {
    if (this.#nextPage >= this.#filled) {
      const [bytes, words] = [this.#spareBytes, this.#spareWords];
      this.#spareBytes = this.bytes;
      this.#spareWords = this.words;
      this.bytes = bytes;
      this.words = words;
      this.#filled = this.#source.read(bytes);
      this.#nextPage = 0;
      if (this.#filled < this.#subbufBytes) {
        this.#nextWord = this.#endWord = 0;
        return false;
      }
    }
    const page = this.#nextPage;
    this.#nextPage = page + this.#subbufBytes;
    const word = page >> 2;
    const words = this.words;
    const commit = words[word + 2]!;
    const size = commit & COMMIT_SIZE;
    this.#pageHigh = words[word + 1]!;
    this.#setTime(words[word + 1]!, words[word]!);
    this.#nextWord = word + 4;
    if (size > this.#subbufBytes - HEADER_BYTES) {
      this.#endWord = this.#nextWord;
      this.#damaged(`a sub-buffer claims ${size} bytes of data`);
      return true;
    }
    this.#endWord = this.#nextWord + (size >> 2);
    if ((commit & MISSED_EVENTS) !== 0) {
      const stored = (commit & MISSED_STORED) !== 0 && size + 8 <= this.#subbufBytes - HEADER_BYTES;
      this.#pageMissed = stored ? words[this.#endWord]! >>> 0 : -1;
    }
    return true;
  }
}
