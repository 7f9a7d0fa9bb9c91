import { AtomicsStore } from '../base/primordials.js';
import { COMMIT_WORD } from './event-word.js';
import * as at from './layout.js';
import { type RingMemory, ringMemory } from './ring-memory.js';
import { SharedRing } from './shared-ring.js';
import { wakeReaders } from './watermarks.js';

/**
 * Moves a ring to a fresh memory. Runs on the writer's thread, no event being written, or on any thread once there is no writer.
 * @returns whether the content was moved: not to sub-buffers of another size
 */
export function moveRing(memory: ArrayBufferLike | RingMemory, target: ArrayBufferLike | RingMemory): boolean {
  const from = new SharedRing(ringMemory(memory));
  from.lock();
  const kept = moveContent(from, new SharedRing(ringMemory(target)));
  AtomicsStore(from.i32, at.MOVED, 1);
  from.unlock();
  wakeReaders(from.memory);
  return kept;
}

/**
 * Copies what is unread, the counters and the switches from one memory to another. The reader page keeps its role; the ring's
 * oldest pages are left behind if they do not fit, as ring_buffer_resize() removes them.
 */
function moveContent(from: SharedRing, to: SharedRing): boolean {
  to.i32[at.OVERWRITE] = from.i32[at.OVERWRITE]!;
  to.i32[at.ATTENTION] = from.i32[at.ATTENTION]!;
  if (from.subbufBytes !== to.subbufBytes) return false;
  to.f64.set(from.f64.subarray(at.COUNTERS, at.COUNTERS_END), at.COUNTERS);
  to.i32[at.READ_OFFSET] = from.i32[at.READ_OFFSET]!;

  const reader = from.readerPage();
  const tail = from.tailPage();
  copyPage(from, reader, to, to.readerPage());
  if (tail === reader) {
    to.i32[at.TAIL_PAGE] = to.readerPage();
    return true;
  }
  const pages = ringPages(from, tail);
  const removed = pages.splice(0, Math.max(0, pages.length - to.nrPages));
  for (const page of removed) {
    to.f64[at.OVERRUN]! += from.entries(page);
    to.f64[at.BYTES]! -= from.committed(page);
    to.f64[at.PAGES_LOST]!++;
  }
  pages.forEach((page, index) => {
    copyPage(from, page, to, index);
  });
  to.i32[at.TAIL_PAGE] = pages.length - 1;
  return true;
}

/** The ring's pages from the oldest to the one that the writer uses. */
function ringPages(ring: SharedRing, tail: number): number[] {
  const pages: number[] = [];
  for (let page = ring.findHead(); ; page = ring.nextPage(page)) {
    pages.push(page);
    if (page === tail) return pages;
  }
}

function copyPage(from: SharedRing, page: number, to: SharedRing, toPage: number): void {
  const bytes = from.subbufBytes;
  const start = from.pageOffset(page);
  to.u8.set(from.u8.subarray(start, start + bytes), to.pageOffset(toPage));
  to.u32[(to.pageOffset(toPage) >> 2) + COMMIT_WORD] = from.committed(page);
  const record = at.linkWord(page) + at.SERIAL;
  to.i32.set(from.i32.subarray(record, at.linkWord(page + 1)), at.linkWord(toPage) + at.SERIAL);
}
