import { AtomicsCompareExchange, AtomicsLoad, AtomicsOr, AtomicsStore } from '../base/primordials.js';
import type { PageCursor } from './decode.js';
import { COMMIT_WORD, PAGE_HEADER_BYTES } from './event-word.js';
import * as at from './layout.js';
import type { RingMemory } from './ring-memory.js';

/** How often a reader looks again while the writer is pushing the head forward, which takes it some ten nanoseconds. */
const HEAD_TRIES = 1000;

/** How long to wait for the lock: longer than moving the largest ring takes, which is about a second. */
const LOCK_PATIENCE_MS = 5000;

/** A ring buffer's memory as the reading side sees it: the pages, the links, the lock. */
export class SharedRing {
  readonly memory: RingMemory;
  readonly i32: Int32Array;
  readonly u32: Uint32Array;
  readonly u8: Uint8Array;
  readonly f64: Float64Array;
  readonly subbufBytes: number;
  readonly nrPages: number;
  readonly #pagesStart: number;
  /** Where the search for the head begins; set by `findHead()`: the page before the head. */
  beforeHead: number;

  constructor(memory: RingMemory) {
    this.memory = memory;
    this.i32 = memory.i32;
    this.u32 = memory.u32;
    this.u8 = memory.u8;
    this.f64 = memory.f64;
    if (this.i32[at.MAGIC] !== at.MAGIC_VALUE) throw new TypeError('not the memory of a ring buffer');
    this.subbufBytes = this.i32[at.SUBBUF_BYTES]!;
    this.nrPages = this.i32[at.NR_PAGES]!;
    this.#pagesStart = at.pagesOffset(this.nrPages);
    this.beforeHead = this.nextPage(this.i32[at.TAIL_PAGE]!);
  }

  /** Byte offset of a page. */
  pageOffset(page: number): number {
    return this.#pagesStart + page * this.subbufBytes;
  }

  /** Bytes of complete events on a page; whatever they hold is visible after this. */
  committed(page: number): number {
    return AtomicsLoad(this.i32, (this.pageOffset(page) >> 2) + COMMIT_WORD);
  }

  /** Puts `cursor` before the first event of a page; it ends after the events that are complete now. */
  open(cursor: PageCursor, page: number): PageCursor {
    return cursor.open(this.u32, this.pageOffset(page), this.committed(page));
  }

  /** Puts `cursor` before the first event of the reader page that is not consumed. */
  openUnread(cursor: PageCursor, readerPage: number): PageCursor {
    const data = this.pageOffset(readerPage) + PAGE_HEADER_BYTES;
    return this.open(cursor, readerPage).seek(data + this.i32[at.READ_OFFSET]!, this.f64[at.READ_STAMP]!);
  }

  pageStamp(page: number): number {
    const word = this.pageOffset(page) >> 2;
    return this.u32[word]! + this.u32[word + 1]! * 2 ** 32;
  }

  tailPage(): number {
    return AtomicsLoad(this.i32, at.TAIL_PAGE);
  }

  readerPage(): number {
    return AtomicsLoad(this.i32, at.READER_PAGE);
  }

  link(page: number): number {
    return AtomicsLoad(this.i32, at.linkWord(page) + at.LINK);
  }

  nextPage(page: number): number {
    return this.link(page) >> 2;
  }

  serial(page: number): number {
    // A read-modify-write keeps the loads before it before it, on arm64 too.
    return AtomicsOr(this.i32, at.linkWord(page) + at.SERIAL, 0);
  }

  firstEvent(page: number): number {
    return this.f64[(at.linkWord(page) + at.FIRST_EVENT) >> 1]!;
  }

  /** Events on a page that the writer has left. */
  entries(page: number): number {
    return this.i32[at.linkWord(page) + at.ENTRIES]!;
  }

  realEnd(page: number): number {
    return this.i32[at.linkWord(page) + at.REAL_END]!;
  }

  /** The oldest page of the ring; -1 if the writer moves it all the time. */
  findHead(): number {
    const tail = this.tailPage();
    if (tail !== this.readerPage() && (this.link(tail) & at.LINK_FLAGS) === at.LINK_HEAD) this.beforeHead = tail;
    let page = this.beforeHead;
    for (let tries = HEAD_TRIES + this.nrPages; tries > 0; tries--) {
      const link = this.link(page);
      if ((link & at.LINK_FLAGS) === at.LINK_HEAD) {
        this.beforeHead = page;
        return link >> 2;
      }
      if ((link & at.LINK_FLAGS) !== at.LINK_UPDATE) page = link >> 2;
    }
    return -1;
  }

  /**
   * Completes what a writer that was ended while it gave its oldest page up had begun: a ring without a head could neither be
   * read nor moved. Only where there is no writer.
   */
  finishPush(): void {
    for (let page = 0; page <= this.nrPages; page++) {
      const link = this.link(page);
      if ((link & at.LINK_FLAGS) !== at.LINK_UPDATE) continue;
      const head = at.linkWord(link >> 2) + at.LINK;
      AtomicsStore(this.i32, head, (this.i32[head]! & ~at.LINK_FLAGS) | at.LINK_HEAD);
      AtomicsStore(this.i32, at.linkWord(page) + at.LINK, (link & ~at.LINK_FLAGS) | at.LINK_NORMAL);
    }
  }

  /** Puts the empty reader page into the ring in the head's place. False when the writer moved the head meanwhile. */
  replaceHead(head: number, readerPage: number): boolean {
    const { i32, beforeHead } = this;
    AtomicsStore(i32, (this.pageOffset(readerPage) >> 2) + COMMIT_WORD, 0);
    AtomicsStore(i32, at.linkWord(readerPage) + at.LINK, (this.nextPage(head) << 2) | at.LINK_HEAD);
    const expected = (head << 2) | at.LINK_HEAD;
    const index = at.linkWord(beforeHead) + at.LINK;
    if (AtomicsCompareExchange(i32, index, expected, (readerPage << 2) | at.LINK_NORMAL) !== expected) return false;
    this.beforeHead = readerPage;
    AtomicsStore(i32, at.READER_PAGE, head);
    return true;
  }

  /** A thread that was terminated while it held the lock never gives it back: after a while it is taken from it. */
  lock(): void {
    for (let ms = LOCK_PATIENCE_MS; ms > 0; ms--) {
      if (AtomicsCompareExchange(this.i32, at.READER_LOCK, 0, 1) === 0) return;
      this.memory.block(at.READER_LOCK, 1, 1);
    }
  }

  unlock(): void {
    AtomicsStore(this.i32, at.READER_LOCK, 0);
  }
}
