import { PageCursor } from './decode.js';
import { COMMIT_WORD, MISSED_EVENTS, MISSED_STORED, PAGE_HEADER_BYTES } from './event-word.js';
import * as at from './layout.js';
import { SharedRing } from './shared-ring.js';
import type { RingBufferSnapshot } from './snapshot.js';
import type { RingBufferStats } from './stats.js';
import { takeSnapshot } from './take-snapshot.js';

/**
 * The reading end of a ring buffer: consuming reads (event by event, or whole sub-buffers) and snapshots, while the writer
 * writes. Any number of consumers may share one reader; each event goes to one of them.
 */
export class RingBufferReader {
  /** The event that `peek()` found: nanoseconds; byte offset and length of its payload in `bytes`. */
  ts = 0;
  payload = 0;
  length = 0;
  /** Events lost right before it. */
  lost = 0;
  private ring: SharedRing;
  private readonly cursor = new PageCursor();
  /** Events lost before the reader page that nobody was told of yet. */
  private lostEvents = 0;
  private peeked = false;

  constructor(memory: SharedArrayBuffer) {
    this.ring = new SharedRing(memory);
  }

  get memory(): SharedArrayBuffer {
    return this.ring.memory;
  }
  get bytes(): Uint8Array {
    return this.ring.u8;
  }
  get words(): Uint32Array {
    return this.ring.u32;
  }
  get subbufBytes(): number {
    return this.ring.subbufBytes;
  }
  get nrPages(): number {
    return this.ring.nrPages;
  }

  /**
   * Looks at the next event; it stays in place, also in memory, until `consume()`.
   * @returns whether there is one: `ts`, `payload`, `length`, `lost` describe it
   */
  peek(): boolean {
    if (this.peeked) return true;
    const { ring, cursor } = this;
    while (this.takePage()) {
      const offset = ring.pageOffset(ring.readerPage());
      cursor.open(ring.u32, offset).seek(offset + PAGE_HEADER_BYTES + ring.i32[at.READ_OFFSET]!, ring.f64[at.READ_STAMP]!);
      if (cursor.next()) {
        this.ts = cursor.ts;
        this.payload = cursor.payload;
        this.length = cursor.length;
        this.lost = this.lostEvents;
        this.peeked = true;
        return true;
      }
      this.advance(cursor.position, cursor.ts, 0);
    }
    return false;
  }

  /** Takes out the event that `peek()` found. */
  consume(): void {
    if (!this.peeked) return;
    this.peeked = false;
    this.lostEvents = 0;
    this.advance(this.cursor.position, this.cursor.ts, 1);
  }

  /**
   * Takes out a sub-buffer, as ring_buffer_read_page() does: the events of a page, or those that are left or so far on it.
   * Lost events before it are flagged in its commit word, their number follows the events when there is room.
   * @param into at least `subbufBytes`
   * @param full only a page that the writer has left
   * @returns false when there is nothing
   */
  readPage(into: Uint8Array, full = false): boolean {
    const { ring } = this;
    if (!this.takePage()) return false;
    this.peeked = false;
    const page = ring.readerPage();
    const isTail = ring.tailPage() === page;
    if (full && isTail) return false;
    const from = ring.i32[at.READ_OFFSET]!;
    const committed = ring.committed(page);
    const offset = ring.pageOffset(page);
    const view = new DataView(into.buffer, into.byteOffset, ring.subbufBytes);
    const stamp = ring.f64[at.READ_STAMP]!;
    let end = committed;
    let events: number;
    let ts = stamp;
    if (from === 0 && !isTail) {
      events = ring.entries(page);
      end = ring.realEnd(page) || committed;
    } else {
      const cursor = this.cursor.open(ring.u32, offset).seek(offset + PAGE_HEADER_BYTES + from, stamp);
      for (events = 0; cursor.next(); ) events++;
      ts = cursor.ts;
      end = (cursor.position << 2) - offset - PAGE_HEADER_BYTES;
    }
    const data = into.subarray(PAGE_HEADER_BYTES, ring.subbufBytes);
    data.set(ring.u8.subarray(offset + PAGE_HEADER_BYTES + from, offset + PAGE_HEADER_BYTES + end));
    let filled = end - from;
    let commit = filled;
    if (this.lostEvents > 0) {
      commit += MISSED_EVENTS;
      if (data.length - filled >= 8) {
        commit += MISSED_STORED;
        view.setBigUint64(PAGE_HEADER_BYTES + filled, BigInt(this.lostEvents), true);
        filled += 8;
      }
      this.lostEvents = 0;
    }
    data.fill(0, filled);
    view.setUint32(0, stamp >>> 0, true);
    view.setUint32(4, Math.floor(stamp / 2 ** 32), true);
    view.setUint32(COMMIT_WORD << 2, commit, true);
    view.setUint32((COMMIT_WORD + 1) << 2, 0, true);
    this.advance((offset + PAGE_HEADER_BYTES + (from === 0 && !isTail ? committed : end)) >> 2, ts, events);
    return true;
  }

  /** A copy of all that is unread, nothing consumed. */
  snapshot(): RingBufferSnapshot {
    const { ring } = this;
    ring.lock();
    try {
      return takeSnapshot(ring);
    } finally {
      ring.unlock();
    }
  }

  /** @param nowTs the clock's present value, nanoseconds */
  stats(nowTs: number): RingBufferStats {
    const { ring } = this;
    const { f64 } = ring;
    const tail = ring.tailPage();
    const total = f64[at.EVENTS]! + this.countOnPage(tail);
    const oldest = tail === ring.readerPage() ? tail : ring.findHead();
    return {
      entries: total - f64[at.OVERRUN]! - f64[at.READ]!,
      overrun: f64[at.OVERRUN]! - f64[at.CLEARED_OVERRUN]!,
      commitOverrun: f64[at.COMMIT_OVERRUN]! - f64[at.CLEARED_COMMIT_OVERRUN]!,
      bytes: f64[at.BYTES]! + ring.committed(tail) - f64[at.READ_BYTES]!,
      oldestEventTs: oldest < 0 ? 0 : ring.pageStamp(oldest),
      nowTs,
      droppedEvents: f64[at.DROPPED]! - f64[at.CLEARED_DROPPED]!,
      readEvents: f64[at.READ]! - f64[at.CLEARED_READ]!,
    };
  }

  private countOnPage(page: number): number {
    const cursor = new PageCursor().open(this.ring.u32, this.ring.pageOffset(page));
    let events = 0;
    while (cursor.next()) events++;
    return events;
  }

  /** Takes out everything and sets the counters back to 0, for the readers; the writer is not stopped. */
  clear(): void {
    const { ring } = this;
    const { f64 } = ring;
    while (this.peek()) this.consume();
    this.lostEvents = 0;
    f64[at.CLEARED_OVERRUN] = f64[at.OVERRUN]!;
    f64[at.CLEARED_DROPPED] = f64[at.DROPPED]!;
    f64[at.CLEARED_COMMIT_OVERRUN] = f64[at.COMMIT_OVERRUN]!;
    f64[at.CLEARED_READ] = f64[at.READ]!;
  }

  get overwrite(): boolean {
    return Atomics.load(this.ring.i32, at.OVERWRITE) !== 0;
  }
  set overwrite(on: boolean) {
    Atomics.store(this.ring.i32, at.OVERWRITE, on ? 1 : 0);
  }

  /** Whether the writer records: nothing disables it. */
  get recording(): boolean {
    return Atomics.load(this.ring.i32, at.RECORD_DISABLED) === 0;
  }

  /** Adds or removes one reason to record nothing; the writer honours it from its next event on. */
  setDisabled(by: at.RecordDisabledBy, disabled: boolean): void {
    const bit = at.RECORD_DISABLED_BY[by];
    if (disabled) Atomics.or(this.ring.i32, at.RECORD_DISABLED, bit);
    else Atomics.and(this.ring.i32, at.RECORD_DISABLED, ~bit);
  }

  /** Makes sure that the reader page holds something unread, if there is anything. */
  private takePage(): boolean {
    const { ring } = this;
    const { i32, f64 } = ring;
    for (;;) {
      const reader = ring.readerPage();
      // The tail first: when the writer has left the reader page, its commit is final.
      const tail = ring.tailPage();
      const committed = ring.committed(reader);
      if (i32[at.READ_OFFSET]! < committed) {
        if (i32[at.READ_OFFSET] === 0) f64[at.READ_STAMP] = ring.pageStamp(reader);
        return true;
      }
      if (tail === reader) return false;
      const head = ring.findHead();
      if (head < 0 || (head === ring.tailPage() && ring.committed(head) === 0)) return false;
      if (!ring.replaceHead(head, reader)) continue;
      i32[at.READ_OFFSET] = 0;
      f64[at.PAGES_READ]!++;
      this.lostEvents += ring.firstEvent(head) - f64[at.NEXT_EVENT]!;
      f64[at.NEXT_EVENT] = ring.firstEvent(head);
    }
  }

  /** Consumes up to a word index of the memory. */
  private advance(position: number, ts: number, events: number): void {
    const { ring } = this;
    const { i32, f64 } = ring;
    const offset = (position << 2) - ring.pageOffset(ring.readerPage()) - PAGE_HEADER_BYTES;
    f64[at.READ_BYTES]! += offset - i32[at.READ_OFFSET]!;
    f64[at.READ]! += events;
    f64[at.NEXT_EVENT]! += events;
    f64[at.READ_STAMP] = ts;
    i32[at.READ_OFFSET] = offset;
  }
}
