import { TraceError } from '../base/errno.js';
import { PageCursor } from './decode.js';
import { PAGE_HEADER_BYTES } from './event-word.js';
import * as at from './layout.js';
import { moveRing } from './move-ring.js';
import { copyRestOfPage, copyWholePage, restOfPage } from './read-page.js';
import { type RingMemory, ringMemory } from './ring-memory.js';
import { clearStats, ringStats } from './ring-stats.js';
import { SharedRing } from './shared-ring.js';
import type { RingBufferSnapshot } from './snapshot.js';
import type { RingBufferStats } from './stats.js';
import { takeSnapshot } from './take-snapshot.js';
import { isFull, nextEvent, nextWakeUp, Watermarks, wakeReaders } from './watermarks.js';

/**
 * The reading end of a ring buffer: consuming reads (event by event, or whole sub-buffers) and snapshots, while the writer
 * writes. One a ring buffer; any number of consumers of one thread may share it, each event goes to one of them.
 */
export class RingBufferReader {
  /** The event that `peek()` found: nanoseconds; byte offset and length of its payload in `bytes`. */
  ts = 0;
  payload = 0;
  length = 0;
  /** Events lost right before it. */
  lost = 0;
  /** The event's number since the buffer was created; it stays the same when the buffer moves. */
  number = 0;
  #ring: SharedRing;
  /** The new memory while the ring is moved. */
  #target: RingMemory | undefined;
  readonly #watermarks = new Watermarks();
  readonly #cursor = new PageCursor();
  /** Events lost before the reader page that were not reported yet. */
  #lostEvents = 0;
  #peeked = false;
  /** Whether the cursor is at READ_OFFSET. */
  #following = false;

  constructor(memory: ArrayBufferLike | RingMemory) {
    this.#ring = new SharedRing(ringMemory(memory));
  }

  /** The present memory of the events, in which a new writer goes on. */
  get memory(): ArrayBufferLike {
    this.#leave(this.#enter());
    return this.#ring.memory.buffer;
  }
  /** The memory that the payload of a peeked event lies in. */
  get bytes(): Uint8Array {
    return this.#ring.u8;
  }
  get words(): Uint32Array {
    return this.#ring.u32;
  }
  get subbufBytes(): number {
    return this.#ring.subbufBytes;
  }
  /** Pages of the ring: `buffer_size_kb` follows from them. */
  get nrPages(): number {
    this.#leave(this.#enter());
    return this.#ring.nrPages;
  }

  /**
   * Looks at the next event. It stays next, and in its place in memory, until `consume()`.
   * @returns whether there is one: `ts`, `payload`, `length`, `lost` describe it
   */
  peek(): boolean {
    const locked = this.#enter();
    const found = this.#peekNext();
    this.#leave(locked);
    return found;
  }

  /** Consumes the event that `peek()` found. */
  consume(): void {
    const locked = this.#enter();
    if (this.#peekNext()) {
      this.#peeked = false;
      this.#lostEvents = 0;
      this.#advance((this.#cursor.position << 2) - this.#readerData(), this.#cursor.ts, 1);
    }
    this.#leave(locked);
  }

  /**
   * Takes out a sub-buffer, as ring_buffer_read_page() does: the events of a page, or those that are left or so far on it.
   * Events lost before it are flagged in its commit word; their number follows the events when there is room.
   * @param into at least `subbufBytes`
   * @param full only a page that the writer has left
   * @returns false when there is nothing
   */
  readPage(into: Uint8Array, full = false): boolean {
    const locked = this.#enter();
    const read = this.#peekNext() && this.#copyPage(into, full);
    this.#leave(locked);
    return read;
  }

  /** A copy of all that is unread; nothing is consumed. */
  snapshot(): RingBufferSnapshot {
    const locked = this.#enter();
    const snapshot = takeSnapshot(this.#ring);
    this.#leave(locked);
    return snapshot;
  }

  isEmpty(): boolean {
    return !this.peek();
  }

  /** Whether `readPage` finds a page that the writer has left. */
  hasFullPage(): boolean {
    const locked = this.#enter();
    const found = this.#peekNext() && this.#ring.tailPage() !== this.#ring.readerPage();
    this.#leave(locked);
    return found;
  }

  /** @param nowTs the clock's present value, nanoseconds */
  stats(nowTs: number): RingBufferStats {
    const locked = this.#enter();
    const stats = ringStats(this.#ring, nowTs);
    this.#leave(locked);
    return stats;
  }

  /** Consumes all events that are there now and resets the counters to 0; the writer goes on. */
  clear(): void {
    const locked = this.#enter();
    const ring = this.#ring;
    const last = ring.tailPage();
    // A writer that is faster must not keep it here: at most the ring's pages once, and the reader page before and after.
    for (let pages = ring.nrPages + 2; pages > 0 && this.#takePage(); pages--) {
      const page = ring.readerPage();
      const rest = restOfPage(ring, page);
      this.#advance(rest.offset, rest.ts, rest.events);
      if (page === last) break;
    }
    this.#peeked = this.#following = false;
    this.#lostEvents = 0;
    clearStats(ring);
    this.#leave(locked);
  }

  /** Whether the oldest page is overwritten when the ring is full; else new events are dropped. */
  get overwrite(): boolean {
    return Atomics.load(this.#ring.i32, at.OVERWRITE) !== 0;
  }
  set overwrite(on: boolean) {
    const locked = this.#enter();
    Atomics.store(this.#ring.i32, at.OVERWRITE, on ? 1 : 0);
    this.#leave(locked);
  }

  /** Whether the writer records: nothing disables it. */
  get recording(): boolean {
    return (Atomics.load(this.#ring.i32, at.ATTENTION) & ~at.EVENT_AWAITED) === 0;
  }

  /** Adds or removes one reason to record nothing; the writer follows it from its next event on. */
  setDisabled(by: at.RecordDisabledBy, disabled: boolean): void {
    const bit = at.RECORD_DISABLED_BY[by];
    const locked = this.#enter();
    if (disabled) Atomics.or(this.#ring.i32, at.ATTENTION, bit);
    else Atomics.and(this.#ring.i32, at.ATTENTION, ~bit);
    this.#leave(locked);
  }

  /**
   * Announces that the writer is going to be told to move to another memory: `RingBufferWriter.moveTo()`.
   * The reader follows by itself once the writer has moved.
   * @throws TraceError EBUSY while another move is under way
   */
  expectMove(memory: ArrayBufferLike | RingMemory): void {
    if (this.isMoving()) throw new TraceError('EBUSY', 'the buffer is being resized');
    this.#target = ringMemory(memory);
  }

  /** Whether the writer has not moved yet. */
  isMoving(): boolean {
    this.#leave(this.#enter());
    return this.#target !== undefined;
  }

  /** The writer's thread has ended, perhaps in the middle of a step: a move that it did not make is made now. */
  writerEnded(): void {
    // Everything is copied again.
    if (this.#target !== undefined) this.#ring.unlock();
    const moving = this.isMoving();
    this.#ring.finishPush();
    if (moving) moveRing(this.#ring.memory, this.#target!);
  }

  /** Asks the writer to wake at a fill level, in percent of the pages. */
  addWatermark(percent: number): void {
    this.#watermarks.add(this.#ring, percent);
  }
  removeWatermark(percent: number): void {
    this.#watermarks.remove(this.#ring, percent);
  }
  /** Whether that much of the ring is full of unread pages. */
  isFull(percent: number): boolean {
    this.#leave(this.#enter());
    return isFull(this.#ring, percent);
  }
  /** Resolves at the writer's next wake-up, or after the time. */
  nextWakeUp(timeoutMs: number): Promise<void> {
    this.#leave(this.#enter());
    return nextWakeUp(this.#ring, timeoutMs);
  }
  /** Resolves when the writer is about to write its next event, at any other wake-up, or after the time. */
  nextEvent(timeoutMs: number): Promise<void> {
    this.#leave(this.#enter());
    return nextEvent(this.#ring, timeoutMs);
  }
  /** Wakes all waiting readers, even if there is nothing to read. */
  wakeUp(): void {
    wakeReaders(this.#ring.memory);
  }

  /** Takes the lock while the writer may move the ring, and follows the ring when it has moved. */
  #enter(): boolean {
    if (this.#target === undefined) return false;
    this.#ring.lock();
    if (Atomics.load(this.#ring.i32, at.MOVED) === 0) return true;
    this.#ring.unlock();
    this.#ring = new SharedRing(this.#target);
    this.#target = undefined;
    this.#peeked = this.#following = false;
    this.#watermarks.tell(this.#ring);
    return false;
  }

  #leave(locked: boolean): void {
    if (locked) this.#ring.unlock();
  }

  #peekNext(): boolean {
    if (this.#peeked) return true;
    const cursor = this.#cursor;
    if (this.#following && cursor.next()) return this.#found();
    const ring = this.#ring;
    while (this.#takePage()) {
      ring.openUnread(cursor, ring.readerPage());
      this.#following = true;
      if (cursor.next()) return this.#found();
      this.#advance((cursor.position << 2) - this.#readerData(), cursor.ts, 0);
    }
    return false;
  }

  #found(): true {
    const cursor = this.#cursor;
    this.ts = cursor.ts;
    this.payload = cursor.payload;
    this.length = cursor.length;
    this.lost = this.#lostEvents;
    this.number = this.#ring.f64[at.NEXT_EVENT]!;
    this.#peeked = true;
    return true;
  }

  #copyPage(into: Uint8Array, full: boolean): boolean {
    const ring = this.#ring;
    const page = ring.readerPage();
    const isTail = ring.tailPage() === page;
    if (full && isTail) return false;
    const copy = isTail || ring.i32[at.READ_OFFSET] !== 0 ? copyRestOfPage : copyWholePage;
    const read = copy(ring, page, into, this.#lostEvents);
    this.#lostEvents = 0;
    this.#peeked = this.#following = false;
    this.#advance(read.offset, read.ts, read.events);
    return true;
  }

  /** Byte offset of the reader page's data. */
  #readerData(): number {
    return this.#ring.pageOffset(this.#ring.readerPage()) + PAGE_HEADER_BYTES;
  }

  /** Makes sure that the reader page has something unread, if there is anything: rb_get_reader_page(). */
  #takePage(): boolean {
    const ring = this.#ring;
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
      this.#lostEvents += ring.firstEvent(head) - f64[at.NEXT_EVENT]!;
      f64[at.NEXT_EVENT] = ring.firstEvent(head);
    }
  }

  /** Consumes events up to an offset in the reader page's data. */
  #advance(offset: number, ts: number, events: number): void {
    const { i32, f64 } = this.#ring;
    f64[at.READ_BYTES]! += offset - i32[at.READ_OFFSET]!;
    f64[at.READ]! += events;
    f64[at.NEXT_EVENT]! += events;
    f64[at.READ_STAMP] = ts;
    i32[at.READ_OFFSET] = offset;
  }
}
