import type { PageSource } from '../tracefs/host.js';

const PAGE_HEADER_WORDS = 4;
const TYPE_PADDING = 29;
const TYPE_TIME_EXTEND = 30;
const TYPE_TIME_STAMP = 31;
const DELTA_BITS = 27;
const COMMIT_MASK = 0xfffff;
const MISSED_EVENTS = 0x80000000;
const MISSED_STORED = 0x40000000;
const TWO_32 = 2 ** 32;
/** An absolute time stamp holds 59 bits; the rest is the page's. */
const ABSOLUTE_BITS = 2 ** 59;

/** How many events were lost before a record when the number is not known. */
export const LOST_UNKNOWN = -1;

/**
 * Walks the records of one cpu, page by page, in the kernel's sub-buffer layout. It stands on one record at a time;
 * the fields say where that is. Pages that it has left stay untouched, so `words` and `at` may be kept.
 */
export class PageCursor {
  readonly cpu: number;
  /** The page that holds the record. */
  words: Uint32Array = new Uint32Array(0);
  bytes: Uint8Array = new Uint8Array(0);
  /** Index of the payload in `words`. */
  at = 0;
  /** Bytes of the payload; a multiple of 4. */
  size = 0;
  /** Nanoseconds. */
  ts = 0;
  /** Events lost between the record before and this one, or LOST_UNKNOWN. */
  lost = 0;
  readonly #nextPage: PageSource;
  #next = 0;
  #end = 0;
  #time = 0;
  #lost = 0;

  constructor(cpu: number, nextPage: PageSource) {
    this.cpu = cpu;
    this.#nextPage = nextPage;
  }

  /** Goes to the next record. False when there is none now; asking again looks for new pages. */
  advance(): boolean {
    for (;;) {
      while (this.#next < this.#end) if (this.#step()) return true;
      const page = this.#nextPage();
      if (page === undefined) return false;
      this.#open(page);
    }
  }

  #open(page: Uint8Array): void {
    const aligned = page.byteOffset % 4 === 0 ? page : page.slice();
    this.bytes = aligned;
    this.words = new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.length >>> 2);
    const commit = this.words[2]!;
    const dataBytes = commit & COMMIT_MASK;
    this.#time = this.words[0]! + this.words[1]! * TWO_32;
    this.#next = PAGE_HEADER_WORDS;
    this.#end = PAGE_HEADER_WORDS + (dataBytes >>> 2);
    this.#lost = 0;
    if ((commit & MISSED_EVENTS) !== 0) {
      this.#lost = (commit & MISSED_STORED) !== 0 ? this.words[this.#end]! + this.words[this.#end + 1]! * TWO_32 : LOST_UNKNOWN;
    }
  }

  /** Takes one event; true when it is a record, false for time stamps and padding. */
  #step(): boolean {
    const { words } = this;
    const header = words[this.#next]!;
    const type = header & 31;
    const delta = header >>> 5;
    if (type >= TYPE_PADDING) {
      this.#stepOther(type, delta);
      return false;
    }
    this.#time += delta;
    this.ts = this.#time;
    if (type === 0) {
      const length = words[this.#next + 1]!;
      this.at = this.#next + 2;
      this.size = length - 4;
      this.#next += 1 + (length >>> 2);
    } else {
      this.at = this.#next + 1;
      this.size = type << 2;
      this.#next += 1 + type;
    }
    this.lost = this.#lost;
    this.#lost = 0;
    return true;
  }

  #stepOther(type: number, delta: number): void {
    const array0 = this.words[this.#next + 1] ?? 0;
    if (type === TYPE_TIME_EXTEND) {
      this.#time += array0 * 2 ** DELTA_BITS + delta;
      this.#next += 2;
    } else if (type === TYPE_TIME_STAMP) {
      this.#time = Math.floor(this.#time / ABSOLUTE_BITS) * ABSOLUTE_BITS + array0 * 2 ** DELTA_BITS + delta;
      this.#next += 2;
    } else if (delta === 0) {
      this.#next = this.#end;
    } else {
      this.#time += delta;
      this.#next += 1 + (array0 >>> 2);
    }
  }
}
