/**
 * Where things are in a ring buffer's shared memory: control words, counters, one record of links a page, the pages.
 * As in kernel/trace/ring_buffer.c the pages form a ring of links; one page more, the reader page, stands outside of it
 * and is swapped for the ring's oldest page (the head) when the reader wants more.
 *
 * Nothing is imported here, and the numbers come first: only of such a file bundling puts constants where they are used, and
 * the writer looks at one for each event.
 */

/** Control words: indices into the memory as 32-bit words. */
export const MAGIC = 0;
export const SUBBUF_BYTES = 1;
/** Pages in the ring, the reader page not counted. */
export const NR_PAGES = 2;
/**
 * The writer checks this word for each event; not 0: there is more to do than to record it. It has a bit for each reason to
 * record nothing, see `RECORD_DISABLED_BY`, and EVENT_AWAITED.
 */
export const ATTENTION = 3;
/** 1: the oldest page is overwritten when the ring is full; 0: new events are dropped. */
export const OVERWRITE = 4;
/** The page that the writer uses. Written by the writer. */
export const TAIL_PAGE = 5;
/** The page outside the ring. Written by the reader. */
export const READER_PAGE = 6;
/** Bytes of the reader page's data that are consumed. Written by the reader. */
export const READ_OFFSET = 7;
/** Held by a reader while it moves pages, and by the writer's thread while it moves everything to another memory. */
export const READER_LOCK = 8;
/** How many full pages wake the waiting readers; 0 if none waits. */
export const WAKE_PAGES = 9;
/** Counts wake-ups; readers wait for its change. */
export const WAKE_COUNT = 10;
/** 1: the content is in another memory now, nothing is written here any more. */
export const MOVED = 11;

/** Bit of ATTENTION: a reader waits for the next event. The writer clears it and wakes the readers. */
export const EVENT_AWAITED = 16;

/** Counters: indices into the memory as doubles. Aligned 8-byte stores are single on the 64-bit machines that V8 runs on. */
export const COUNTERS = 8;
/** Written by the writer. Events on all pages before the tail page. */
export const EVENTS = COUNTERS;
/** Bytes of data on all pages before the tail page, overwritten pages subtracted. */
export const BYTES = COUNTERS + 1;
export const OVERRUN = COUNTERS + 2;
export const DROPPED = COUNTERS + 3;
export const COMMIT_OVERRUN = COUNTERS + 4;
export const PAGES_TOUCHED = COUNTERS + 5;
export const PAGES_LOST = COUNTERS + 6;
/** Written by the reader. Events consumed; bytes consumed; timestamp of the last consumed event or of the reader page. */
export const READ = COUNTERS + 8;
export const READ_BYTES = COUNTERS + 9;
export const READ_STAMP = COUNTERS + 10;
export const PAGES_READ = COUNTERS + 11;
/** Number of the event after those that were read: if the next one that is read has a larger number, events were lost. */
export const NEXT_EVENT = COUNTERS + 12;
/** The counters when the buffer was cleared. */
export const CLEARED_OVERRUN = COUNTERS + 13;
export const CLEARED_DROPPED = COUNTERS + 14;
export const CLEARED_COMMIT_OVERRUN = COUNTERS + 15;
export const CLEARED_READ = COUNTERS + 16;
/** Behind the last counter. */
export const COUNTERS_END = COUNTERS + 24;

/** Records of links: words within a page's record. */
export const LINK = 0;
/** Serial number of the page's present use; grows by one from page to page. */
export const SERIAL = 1;
/** Events on the page, once the writer has left it. */
export const ENTRIES = 2;
/** Bytes of events when padding follows them, else 0. */
export const REAL_END = 3;
/** Index of a double, two words: number of the page's first event, counted from the buffer's creation. */
export const FIRST_EVENT = 4;
const LINK_WORDS = 8;

/** A LINK is `next page << 2 | flag`; the flag is kept in the link that points to the head page. */
export const LINK_NORMAL = 0;
export const LINK_HEAD = 1;
/** The writer is pushing the head forward; readers wait. */
export const LINK_UPDATE = 2;
export const LINK_FLAGS = 3;

const CONTROL_BYTES = 256;
const LINKS_WORD = CONTROL_BYTES >> 2;
export const MAGIC_VALUE = 0x66_72_62_31;

/** Reasons to record nothing: bits of ATTENTION. */
export const RECORD_DISABLED_BY = { tracingOn: 1, cpumask: 2, resize: 4, snapshot: 8 } as const;
/** The name of such a reason. */
export type RecordDisabledBy = keyof typeof RECORD_DISABLED_BY;

/** Bytes of the memory before the first page; pages are 64-byte aligned for the sake of cache lines. */
export function pagesOffset(nrPages: number): number {
  return Math.ceil((CONTROL_BYTES + (nrPages + 1) * LINK_WORDS * 4) / 64) * 64;
}

/** Word index of a page's record of links. */
export const linkWord = (page: number): number => LINKS_WORD + page * LINK_WORDS;
