import assert from 'node:assert/strict';
import { PageCursor } from '../decode.js';
import {
  COMMIT_MASK,
  COMMIT_WORD,
  MAX_SMALL_WORDS,
  PADDING,
  PAGE_HEADER_WORDS,
  TIME_EXTEND,
  TYPE_LEN_MASK,
} from '../event-word.js';
import type { RingBufferReader } from '../reader.js';
import { seededEvent } from './seeded-event.js';

/**
 * Reads a ring buffer and checks what it reads: the structure of pages, that time goes on, and that the events are those of
 * `fillEvent()`, in order, each one once, the missing ones said to be lost.
 */
export class CheckedReader {
  /** Events consumed; events that the reader said were lost. */
  read = 0;
  lost = 0;
  /** Events before those: 0, or up to where the buffer was cleared. */
  cleared = 0;
  #nextNumber = 0;
  #lastTs = 0;
  readonly #reader: RingBufferReader;
  readonly #page: Uint8Array;
  readonly #cursor = new PageCursor();

  constructor(reader: RingBufferReader) {
    this.#reader = reader;
    this.#page = new Uint8Array(reader.subbufBytes);
  }

  /** Consumes one event. */
  readEvent(): boolean {
    const reader = this.#reader;
    if (!reader.peek()) return false;
    this.#take(reader.words, reader.payload, reader.length, reader.ts, reader.lost);
    reader.consume();
    return true;
  }

  /** Consumes a page. */
  readPage(full = false): boolean {
    const reader = this.#reader;
    const cursor = this.#cursor;
    const page = this.#page;
    if (!reader.readPage(page, full)) return false;
    const words = new Uint32Array(page.buffer);
    checkStructure(words, 0, page.length >> 2);
    cursor.open(words, 0);
    let lost = cursor.missed === -1 ? undefined : cursor.missed;
    while (cursor.next()) {
      this.#take(words, cursor.payload, cursor.length, cursor.ts, lost);
      lost = 0;
    }
    return true;
  }

  /** Looks at everything without consuming it. @returns the events seen, and those that got lost meanwhile */
  readSnapshot(): { events: number; lost: number } {
    const snapshot = this.#reader.snapshot();
    let [number, ts, events, lost] = [-1, 0, 0, 0];
    while (snapshot.next()) {
      const event = seededEvent(snapshot.words, snapshot.payload, snapshot.length);
      if (number >= 0) assert.equal(event, number + 1 + snapshot.lost, 'a snapshot has no unannounced gaps');
      assert.ok(event >= this.#nextNumber, 'a snapshot holds nothing that was consumed');
      assert.ok(snapshot.ts >= ts, 'time goes on');
      [number, ts] = [event, snapshot.ts];
      events++;
      lost += snapshot.lost;
    }
    return { events, lost };
  }

  /** Empties the buffer and starts counting again. */
  clear(): void {
    this.#reader.clear();
    this.read = this.lost = 0;
    this.#nextNumber = -1;
  }

  #take(words: Uint32Array, payload: number, length: number, ts: number, lost: number | undefined): void {
    const number = seededEvent(words, payload, length);
    if (this.#nextNumber >= 0) {
      const missing = number - this.#nextNumber;
      assert.ok(missing >= 0, `event ${number} after ${this.#nextNumber - 1}`);
      assert.equal(lost ?? missing, missing, 'what is missing was said to be lost');
      this.lost += missing;
    } else {
      this.cleared = number - lost!;
      this.lost += lost!;
    }
    assert.ok(ts >= this.#lastTs, 'time goes on');
    this.#nextNumber = number + 1;
    this.#lastTs = ts;
    this.read++;
  }
}

/** Walks a page's words from its first event on, by the rules of the format alone, and finds its end where `commit` says. */
export function checkStructure(words: Uint32Array, page: number, pageWords: number): void {
  const end = page + PAGE_HEADER_WORDS + ((words[page + COMMIT_WORD]! & COMMIT_MASK) >> 2);
  assert.ok(end <= page + pageWords, 'commit is within the page');
  let at = page + PAGE_HEADER_WORDS;
  while (at < end) {
    const typeLen = words[at]! & TYPE_LEN_MASK;
    if (typeLen === TIME_EXTEND) {
      at += 2;
      assert.ok(at < end && (words[at]! & TYPE_LEN_MASK) <= MAX_SMALL_WORDS, 'a time extend stands before an event');
    } else if (typeLen === 0 || typeLen === PADDING) {
      assert.ok(words[at + 1]! >= 4 && words[at + 1]! % 4 === 0, 'a length of whole words');
      at += 1 + (words[at + 1]! >> 2);
      if (typeLen === PADDING) assert.equal(at, end, 'padding is the last on a page');
    } else {
      assert.ok(typeLen <= MAX_SMALL_WORDS, `type ${typeLen}`);
      at += 1 + typeLen;
    }
  }
  assert.equal(at, end, 'the last event ends where commit says');
}
