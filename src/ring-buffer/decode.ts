import {
  COMMIT_MASK,
  COMMIT_WORD,
  DELTA_LIMIT,
  MISSED_EVENTS,
  MISSED_STORED,
  PADDING,
  PAGE_HEADER_WORDS,
  TIME_EXTEND,
  TIME_STAMP,
  TYPE_LEN_BITS,
  TYPE_LEN_MASK,
} from './event-word.js';

/** An absolute time stamp carries 59 bits; the page's timestamp has the rest. */
const STAMP_LIMIT = 2 ** 59;

/**
 * Walks the events of one sub-buffer; `next()` moves to the next event and the fields describe it.
 * One object serves any number of pages, and nothing is allocated per event.
 */
export class PageCursor {
  /** Nanoseconds since `origin`. */
  ts = 0;
  /** The origin of times: 0, or whole seconds that keep times beyond 2^53 ns exact. */
  origin = 0;
  /** Byte offset in the memory of the event's payload, a multiple of 4. */
  payload = 0;
  /** Bytes of the payload, a multiple of 4. */
  length = 0;
  /** Word index of the next event. */
  position = 0;
  /** Events lost before this page; -1 if their number is not known. Only pages that were read have this. */
  missed = 0;
  /** Word index after the page's last event. In a damaged page, an event may end after it. */
  end = 0;
  #words: Uint32Array;

  constructor(words: Uint32Array = new Uint32Array(PAGE_HEADER_WORDS)) {
    this.#words = words;
  }

  /**
   * Starts at the first event of the page at byte offset `page` (a multiple of 4) of the memory.
   * @param commit its commit word; of a page that is being written to, as it was loaded in order (`SharedRing.committed()`)
   */
  open(words: Uint32Array, page: number, commit: number = words[(page >> 2) + COMMIT_WORD]!): this {
    const start = page >> 2;
    this.#words = words;
    this.ts = words[start + 1]! * 2 ** 32 - this.origin + words[start]!;
    this.position = start + PAGE_HEADER_WORDS;
    this.end = this.position + ((commit & COMMIT_MASK) >> 2);
    this.missed = 0;
    if (commit >= MISSED_EVENTS) {
      const stored = (commit & MISSED_STORED) !== 0;
      this.missed = stored ? words[this.end]! + words[this.end + 1]! * 2 ** 32 : -1;
    }
    return this;
  }

  /** Goes on at byte offset `offset` of the memory, within the page; `ts` is the timestamp of the event before it. */
  seek(offset: number, ts: number): this {
    this.position = offset >> 2;
    this.ts = ts;
    return this;
  }

  /** Moves to the next event. Returns false at the end of the committed events. */
  next(): boolean {
    const { end } = this;
    const words = this.#words;
    let at = this.position;
    while (at < end) {
      const head = words[at]!;
      const typeLen = head & TYPE_LEN_MASK;
      if (typeLen < PADDING) {
        this.ts += head >>> TYPE_LEN_BITS;
        if (typeLen !== 0) {
          this.payload = (at + 1) << 2;
          this.length = typeLen << 2;
          this.position = at + 1 + typeLen;
        } else {
          const bytes = words[at + 1]!;
          this.payload = (at + 2) << 2;
          this.length = bytes - 4;
          this.position = at + 1 + (bytes >>> 2);
        }
        return true;
      }
      at = this.#skip(at, head, typeLen);
    }
    this.position = at;
    return false;
  }

  /** Handles a word that is not an event; returns the index of the next word. */
  #skip(at: number, head: number, typeLen: number): number {
    const { end } = this;
    const words = this.#words;
    const delta = head >>> TYPE_LEN_BITS;
    if (typeLen === PADDING) {
      this.ts += delta;
      return delta === 0 ? end : Math.min(end, at + 1 + (words[at + 1]! >>> 2));
    }
    const time = words[at + 1]! * DELTA_LIMIT;
    if (typeLen === TIME_EXTEND) this.ts += time + delta;
    else if (typeLen === TIME_STAMP) {
      const now = this.ts + this.origin;
      this.ts = now - (now % STAMP_LIMIT) + time - this.origin + delta;
    }
    return at + 2;
  }
}
