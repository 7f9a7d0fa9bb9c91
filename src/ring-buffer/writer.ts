import {
  AtomicsCompareExchange as compareExchange,
  AtomicsExchange as exchange,
  MathFloor as floor,
  AtomicsLoad as load,
  AtomicsStore as store,
} from '../base/primordials.js';
import { PageCursor } from './decode.js';
import {
  COMMIT_WORD,
  DELTA_LIMIT,
  DELTA_MASK,
  MAX_SMALL_WORDS,
  maxPayloadBytes,
  PADDING,
  PAGE_HEADER_WORDS,
  TIME_EXTEND,
  TYPE_LEN_BITS,
  TYPE_LEN_MASK,
} from './event-word.js';
import { createInstanceSwitch, InstanceSwitch, OFF_MASK, STATE } from './instance-switch.js';
import * as at from './layout.js';
import { moveRing } from './move-ring.js';
import { announceEvent, wakeUp } from './watermarks.js';

// By the time that a record is written the program may have replaced these.

/** Deeper than the calls of any change to the ring. */
const STACK_FRAMES = 16;

/** Throws the RangeError of a full stack if so many more frames do not fit. */
function needStack(frames: number): void {
  if (frames > 0) needStack(frames - 1);
}

/**
 * The writing end of a ring buffer; one for each thread, used only by that thread. `reserve()`, fill the payload through `u32`
 * and `u8`, `commit()`. Nothing is allocated and nothing throws.
 */
export class RingBufferWriter {
  /** The memory as words and bytes: the payload goes here. Replaced by `moveTo()`, so read it again for each event. */
  u32!: Uint32Array;
  u8!: Uint8Array;
  #i32!: Int32Array;
  #f64!: Float64Array;
  /** Word index of the first free word. */
  #position = 0;
  /** Word index up to which events fit: the page's end; 0 while an event is reserved, then no other fits. */
  #limit = 0;
  /** Where `position` goes at commit; 0 while an event is being reserved. */
  #next = 0;
  #pageStart = 0;
  #pageEnd = 0;
  /** Events on the page. */
  #count = 0;
  #page = 0;
  #serial = 0;
  /** Timestamp of the last event, as a reader computes it. */
  #stamp = 0;
  #pagesStart = 0;
  #subbufWords = 0;
  /** The instance's words, and STATE when this writer last followed it. */
  readonly #switches: Int32Array;
  #state: number;
  readonly #instance: InstanceSwitch;
  readonly #cpu: number;
  /** On x86-64, no store overtakes an earlier one. This is a field because V8 compares a field, but converts a variable. */
  readonly #storesInOrder: boolean = process.arch === 'x64';
  #spare: ArrayBufferLike | undefined;
  /** The events in there have the times of another clock. */
  #isSpareStale = false;

  /**
   * @param memory a new one, or one whose writer has ended: then its events are continued
   * @param instance shared by the writers of an instance; not needed for a single writer
   * @param cpu its number among them
   */
  constructor(memory: ArrayBufferLike, instance = new InstanceSwitch(createInstanceSwitch(1)), cpu = 0) {
    this.#instance = instance;
    this.#cpu = cpu;
    this.#switches = instance.words;
    this.#state = load(this.#switches, STATE) & ~OFF_MASK;
    this.#attach(memory);
  }

  /** Undefined: no clock is read, and events have the times that they are given. */
  get reading(): undefined {
    return undefined;
  }

  get tracingOn(): boolean {
    return this.#instance.tracingOn;
  }

  /** Starts or stops recording of all writers of the instance at once: `tracing_on`. */
  setTracingOn(on: boolean): void {
    this.#instance.setOff('tracingOn', !on);
  }

  /** Takes a snapshot of the whole instance: here at once, on the other threads before their next event. */
  snapshotNow(): void {
    this.#instance.swap();
    this.takeSnapshot();
  }

  /** The memory that replaces the present one at the next snapshot; undefined: none. */
  setSpare(memory: ArrayBufferLike | undefined): void {
    // Snapshots that were taken while the memory was on its way are taken now.
    if (this.#spare === undefined && memory !== undefined) this.#state = this.#instance.followed(this.#cpu);
    this.#spare = memory;
  }

  /**
   * Exchanges its memory for the spare one, if a snapshot was taken since it last looked. Without this it does so before
   * its next event.
   * @returns false when an event is being written at this moment (this call interrupted it): try again later
   */
  takeSnapshot(): boolean {
    if (this.#limit === 0) return false;
    this.#swap(load(this.#switches, STATE));
    return true;
  }

  #swap(state: number): void {
    const before = this.#state;
    const now = state & ~OFF_MASK;
    if (now === before) return;
    needStack(4 * STACK_FRAMES);
    this.#state = now;
    const spare = this.#spare;
    if (spare === undefined) return;
    // Two snapshots with nothing in between leave everything where it was, as two swaps do.
    if (((now - before) & (OFF_MASK + 1)) === 0) {
      this.#instance.follow(this.#cpu, now);
      return;
    }
    const old = this.#i32;
    // From here on what interrupts this is refused.
    this.#limit = 0;
    this.#next = 0;
    this.#spare = old.buffer;
    this.#instance.follow(this.#cpu, now);
    this.#attach(spare);
    if (this.#isSpareStale) this.#beginTime();
    this.#isSpareStale = false;
    wakeUp(old);
  }

  /**
   * Moves to another memory, of another size: all that is unread goes along, the oldest pages only as far as they fit
   * (what does not counts as overrun). To sub-buffers of another size nothing goes along and all counters start at 0.
   * The reading side must have been told by `RingBufferReader.expectMove()` before.
   * @param half which of its two memories moves, as InstanceSwitch numbers them; absent: the present one
   * @returns false when an event is being written at this moment (this call interrupted it): try again later
   */
  moveTo(memory: ArrayBufferLike, half: number = this.#instance.live(this.#cpu)): boolean {
    if (this.#limit === 0) return false;
    needStack(4 * STACK_FRAMES);
    if (half !== this.#instance.live(this.#cpu)) {
      if (this.#spare !== undefined) moveRing(this.#spare, memory);
      this.#spare = memory;
      return true;
    }
    // From here on what interrupts this is refused.
    this.#limit = 0;
    this.#next = 0;
    moveRing(this.u32.buffer, memory);
    this.#attach(memory);
    return true;
  }

  #attach(memory: ArrayBufferLike): void {
    this.u32 = new Uint32Array(memory);
    this.u8 = new Uint8Array(memory);
    this.#i32 = new Int32Array(memory);
    this.#f64 = new Float64Array(memory);
    this.#subbufWords = this.#i32[at.SUBBUF_BYTES]! >> 2;
    this.#pagesStart = at.pagesOffset(this.#i32[at.NR_PAGES]!) >> 2;
    this.#pageAt(this.#i32[at.TAIL_PAGE]!);
    this.#serial = this.#i32[at.linkWord(this.#page) + at.SERIAL]!;
    const cursor = new PageCursor().open(this.u32, this.#pageStart << 2);
    for (this.#count = 0; cursor.next(); ) this.#count++;
    if (this.#count > 0) this.#stamp = cursor.ts;
    this.#position = cursor.end;
    this.#release();
  }

  /**
   * Makes room for an event.
   * @param payloadBytes its size, rounded up to whole words
   * @param ts whole nanoseconds; a time before the last event's counts as that
   * @returns the index in `u32` of the payload's first word, or -1 when the event is not recorded
   */
  reserve(payloadBytes: number, ts: number): number {
    const words = (payloadBytes + 3) >>> 2;
    const start = this.#position;
    const next = start + words + 1;
    const delta = ts - this.#stamp;
    const i32 = this.#i32;
    if (
      next <= this.#limit &&
      delta >= 0 &&
      delta < DELTA_LIMIT &&
      (words - 3) >>> 0 <= MAX_SMALL_WORDS - 3 &&
      i32[at.ATTENTION] === 0 &&
      this.#switches[STATE] === this.#state
    ) {
      i32[start] = words | ((delta | 0) << TYPE_LEN_BITS);
      this.#stamp = ts;
      this.#limit = 0;
      this.#next = next;
      return start + 1;
    }
    return this.#reserveSlow(payloadBytes, ts);
  }

  /**
   * Reserves room for an event that is to be committed shorter, with text behind its fields.
   * @param payloadBytes more than MAX_SMALL_WORDS words: its length stands in a word of its own
   */
  reserveText(payloadBytes: number, ts: number): number {
    const words = (payloadBytes + 3) >>> 2;
    const start = this.#position;
    const next = start + words + 2;
    const delta = ts - this.#stamp;
    const i32 = this.#i32;
    if (
      next <= this.#limit &&
      delta >= 0 &&
      delta < DELTA_LIMIT &&
      words > MAX_SMALL_WORDS &&
      i32[at.ATTENTION] === 0 &&
      this.#switches[STATE] === this.#state
    ) {
      i32[start] = (delta | 0) << TYPE_LEN_BITS;
      i32[start + 1] = (words + 1) << 2;
      this.#stamp = ts;
      this.#limit = 0;
      this.#next = next;
      return start + 2;
    }
    return this.#reserveSlow(payloadBytes, ts);
  }

  /** Publishes the reserved event. */
  commit(): void {
    const next = this.#next;
    this.#position = next;
    this.#limit = this.#pageEnd;
    this.#count++;
    const bytes = (next - this.#pageStart - PAGE_HEADER_WORDS) << 2;
    if (this.#storesInOrder) this.#i32[this.#pageStart + COMMIT_WORD] = bytes;
    else store(this.#i32, this.#pageStart + COMMIT_WORD, bytes);
  }

  /** Publishes the reserved event with a payload that turned out shorter than reserved. */
  commitShorter(payloadBytes: number): void {
    const words = payloadBytes < 1 ? 1 : (payloadBytes + 3) >>> 2;
    let event = this.#position;
    if ((this.#i32[event]! & TYPE_LEN_MASK) === TIME_EXTEND) event += 2;
    if ((this.#i32[event]! & TYPE_LEN_MASK) === 0) {
      this.#i32[event + 1] = (words + 1) << 2;
      this.#next = event + 2 + words;
    } else {
      this.#i32[event] = (this.#i32[event]! & ~TYPE_LEN_MASK) | words;
      this.#next = event + 1 + words;
    }
    this.commit();
  }

  /** Discards the reserved event. */
  discard(): void {
    let event = this.#position;
    if ((this.#i32[event]! & TYPE_LEN_MASK) === TIME_EXTEND) {
      this.#stamp -= (this.#i32[event]! >>> TYPE_LEN_BITS) + this.#i32[event + 1]! * DELTA_LIMIT;
      event += 2;
    }
    this.#stamp -= this.#i32[event]! >>> TYPE_LEN_BITS;
    this.#release();
  }

  /**
   * Discards an event that was reserved, perhaps only partly, and never committed because of a stack overflow, if there is one.
   */
  abandon(): void {
    if (this.#limit !== 0) return;
    if (this.#next === 0) this.#release();
    else this.discard();
  }

  /**
   * Allows any time for the next event, even before the last event's, because the clock has changed. The event begins a new
   * page.
   * @returns false when an event is being written at this moment (this call interrupted it): try again later
   */
  forgetTime(): boolean {
    if (this.#limit === 0) return false;
    needStack(2 * STACK_FRAMES);
    this.#isSpareStale = this.#spare !== undefined;
    this.#beginTime();
    return true;
  }

  #beginTime(): void {
    this.#limit = 0;
    this.#next = 0;
    if (this.#position !== this.#pageStart + PAGE_HEADER_WORDS) this.#nextPage();
    this.#stamp = 0;
    this.#release();
  }

  #reserveSlow(payloadBytes: number, ts: number): number {
    const i32 = this.#i32;
    const attention = i32[at.ATTENTION]!;
    const state = this.#switches[STATE]!;
    if ((attention & ~at.EVENT_AWAITED) !== 0 || (state & OFF_MASK) !== 0) return -1;
    if (this.#limit === 0) return this.#refuse(at.COMMIT_OVERRUN);
    if (state !== this.#state) {
      this.#swap(state);
      return this.#reserveSlow(payloadBytes, ts);
    }
    if (payloadBytes > maxPayloadBytes(this.#subbufWords << 2)) return this.#refuse(at.DROPPED);
    if (attention !== 0) announceEvent(i32);
    // From here on what interrupts this is refused.
    this.#limit = 0;
    this.#next = 0;
    let words = payloadBytes < 1 ? 1 : (payloadBytes + 3) >>> 2;
    // The kernel leaves no event of 12 bytes: one that is discarded must have room for a time extend and padding.
    if (words === 2) words = 3;
    const total = words > MAX_SMALL_WORDS ? words + 2 : words + 1;

    let delta = this.#deltaTo(ts);
    let extended = delta >= DELTA_LIMIT;
    if (this.#position + total + (extended ? 2 : 0) > this.#pageEnd) {
      if (!this.#nextPage()) {
        this.#release();
        return this.#refuse(at.DROPPED);
      }
      delta = this.#deltaTo(ts);
      extended = false;
    }

    let event = this.#position;
    if (extended) {
      i32[event] = TIME_EXTEND | ((delta % DELTA_LIMIT) << TYPE_LEN_BITS);
      i32[event + 1] = floor(delta / DELTA_LIMIT);
      event += 2;
    }
    this.#stamp += delta;
    const inWord = extended ? 0 : delta & DELTA_MASK;
    this.#next = event + total;
    if (words <= MAX_SMALL_WORDS) {
      i32[event] = words | (inWord << TYPE_LEN_BITS);
      return event + 1;
    }
    i32[event] = inWord << TYPE_LEN_BITS;
    i32[event + 1] = (words + 1) << 2;
    return event + 2;
  }

  /**
   * Whole nanoseconds since the last event; 0 when the clock went back. The first event of a page gives the page its timestamp.
   */
  #deltaTo(ts: number): number {
    const since = ts - this.#stamp;
    const delta = since > 0 ? floor(since) : 0;
    if (this.#position !== this.#pageStart + PAGE_HEADER_WORDS) return delta;
    this.#stamp += delta;
    this.#i32[this.#pageStart] = this.#stamp >>> 0;
    this.#i32[this.#pageStart + 1] = floor(this.#stamp / 2 ** 32);
    return 0;
  }

  /** Allows events again. The first one of a page takes the slow path: it sets the page's timestamp. */
  #release(): void {
    this.#limit = this.#position === this.#pageStart + PAGE_HEADER_WORDS ? this.#position : this.#pageEnd;
  }

  /** Counts an event that is not recorded. */
  #refuse(counter: number): -1 {
    this.#f64[counter]!++;
    return -1;
  }

  /** Moves to the next page of the ring. Returns false if the ring is full and must not be overwritten. */
  #nextPage(): boolean {
    // The program may be about to overflow its stack: better here than between the steps of a change to the ring.
    needStack(STACK_FRAMES);
    const i32 = this.#i32;
    const page = this.#page;
    this.#padPage();
    const linkIndex = at.linkWord(page) + at.LINK;
    let link = load(i32, linkIndex);
    while ((link & at.LINK_FLAGS) === at.LINK_HEAD) {
      if (i32[at.OVERWRITE] === 0) return false;
      if (this.#pushHead(linkIndex, link)) break;
      link = load(i32, linkIndex);
    }
    this.#enterPage(link >> 2);
    if (i32[at.WAKE_PAGES] !== 0) this.#wake();
    return true;
  }

  /** Fills the rest of the page as rb_reset_tail() does. */
  #padPage(): void {
    const i32 = this.#i32;
    const position = this.#position;
    const pageEnd = this.#pageEnd;
    const rest = pageEnd - position;
    i32[at.linkWord(this.#page) + at.REAL_END] = rest === 0 ? 0 : (position - this.#pageStart - PAGE_HEADER_WORDS) << 2;
    if (rest === 0) return;
    if (rest === 1) {
      i32[position] = PADDING;
      return;
    }
    i32[position] = PADDING | (1 << TYPE_LEN_BITS);
    i32[position + 1] = (rest - 1) << 2;
    this.#position = pageEnd;
    store(i32, this.#pageStart + COMMIT_WORD, (this.#subbufWords - PAGE_HEADER_WORDS) << 2);
  }

  /**
   * Gives up the oldest page. Returns false if a reader took it first. No calls after that: a thread may be ended at each call.
   */
  #pushHead(linkIndex: number, link: number): boolean {
    const i32 = this.#i32;
    const f64 = this.#f64;
    const updating = (link & ~at.LINK_FLAGS) | at.LINK_UPDATE;
    const oldest = link >> 2;
    const oldestLinks = at.linkWord(oldest);
    if (compareExchange(i32, linkIndex, link, updating) !== link) return false;
    f64[at.OVERRUN]! += i32[oldestLinks + at.ENTRIES]!;
    f64[at.BYTES]! -= i32[this.#pagesStart + oldest * this.#subbufWords + COMMIT_WORD]!;
    f64[at.PAGES_LOST]!++;
    store(i32, oldestLinks + at.LINK, (i32[oldestLinks + at.LINK]! & ~at.LINK_FLAGS) | at.LINK_HEAD);
    store(i32, linkIndex, (link & ~at.LINK_FLAGS) | at.LINK_NORMAL);
    return true;
  }

  /** Closes the page and opens another. No calls between the stores: a thread may be ended at each call. */
  #enterPage(page: number): void {
    const i32 = this.#i32;
    const f64 = this.#f64;
    const left = at.linkWord(this.#page);
    const links = at.linkWord(page);
    const events = f64[(left + at.FIRST_EVENT) >> 1]! + this.#count;
    const bytes = i32[this.#pageStart + COMMIT_WORD]!;
    i32[left + at.ENTRIES] = this.#count;
    this.#pageAt(page);
    this.#count = 0;
    // An exchange orders accesses in both directions: no later store to the page is seen before the new serial number.
    exchange(i32, links + at.SERIAL, ++this.#serial);
    i32[links + at.REAL_END] = 0;
    f64[(links + at.FIRST_EVENT) >> 1] = events;
    f64[at.EVENTS] = events;
    f64[at.BYTES]! += bytes;
    f64[at.PAGES_TOUCHED]!++;
    store(i32, this.#pageStart + COMMIT_WORD, 0);
    store(i32, at.TAIL_PAGE, page);
  }

  #pageAt(page: number): void {
    this.#page = page;
    this.#pageStart = this.#pagesStart + page * this.#subbufWords;
    this.#pageEnd = this.#pageStart + this.#subbufWords;
    this.#position = this.#pageStart + PAGE_HEADER_WORDS;
  }

  #wake(): void {
    const i32 = this.#i32;
    const f64 = this.#f64;
    const full = f64[at.PAGES_TOUCHED]! - f64[at.PAGES_LOST]! - f64[at.PAGES_READ]!;
    if (full + 1 < i32[at.WAKE_PAGES]!) return;
    wakeUp(i32);
  }
}
