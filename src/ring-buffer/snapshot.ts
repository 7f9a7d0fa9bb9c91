import { PageCursor } from './decode.js';
import { PAGE_HEADER_BYTES } from './event-word.js';

/** A page that a snapshot took a copy of. */
export interface SnapshotPage {
  /** Byte offset of the copy. */
  readonly offset: number;
  /** Bytes of its data that were consumed before, and the timestamp there. */
  readonly from: number;
  readonly stamp: number;
  /** Events that were overwritten between the page before and this one. */
  readonly lost: number;
}

/**
 * A copy of what a ring buffer held at one moment, read without consuming anything.
 * `next()` moves from event to event, oldest first; the fields describe the event.
 */
export class RingBufferSnapshot {
  /** The copies: payloads lie here. */
  readonly words: Uint32Array;
  readonly bytes: Uint8Array;
  readonly view: DataView;
  /** Events lost between the one before and this one; those that were lost before the first one are not told here. */
  lost = 0;
  /** Nanoseconds. */
  ts = 0;
  /** Byte offset of the payload in `bytes`, and its length. */
  payload = 0;
  length = 0;
  readonly pages: readonly SnapshotPage[];
  #page = 0;
  readonly #cursor = new PageCursor();

  constructor(words: Uint32Array, pages: readonly SnapshotPage[]) {
    this.words = words;
    this.bytes = new Uint8Array(words.buffer);
    this.view = new DataView(words.buffer);
    this.pages = pages;
    this.rewind();
  }

  /** Starts again at the oldest event. */
  rewind(): void {
    this.#page = -1;
    this.lost = 0;
    this.#openPage();
  }

  /** Moves to the next event. False behind the last one. */
  next(): boolean {
    const cursor = this.#cursor;
    let lost = 0;
    while (!cursor.next()) {
      if (!this.#openPage()) return false;
      lost += this.pages[this.#page]!.lost;
    }
    this.lost = lost;
    this.ts = cursor.ts;
    this.payload = cursor.payload;
    this.length = cursor.length;
    return true;
  }

  #openPage(): boolean {
    const page = this.pages[++this.#page];
    if (page === undefined) return false;
    this.#cursor.open(this.words, page.offset);
    if (page.from > 0) this.#cursor.seek(page.offset + PAGE_HEADER_BYTES + page.from, page.stamp);
    return true;
  }
}
