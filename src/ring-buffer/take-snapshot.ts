import { COMMIT_WORD, PAGE_HEADER_BYTES } from './event-word.js';
import * as at from './layout.js';
import { type RingMemory, ringMemory } from './ring-memory.js';
import { SharedRing } from './shared-ring.js';
import { RingBufferSnapshot, type SnapshotPage } from './snapshot.js';

/**
 * A writer at full speed goes once round a small buffer in two milliseconds; the first copy, which nothing has compiled
 * yet, may take longer and bring home next to nothing. The second does not.
 */
const ATTEMPTS = 4;

/**
 * Copies what is unread, page by page, while the writer writes. A page that the writer took back during its copy is
 * left out and its events are counted as lost; where most were, it is tried again. Called by the only reader.
 */
export function takeSnapshot(ring: SharedRing): RingBufferSnapshot {
  let best = copyPages(ring);
  for (let i = 1; i < ATTEMPTS && best.count * 2 < best.expected; i++) {
    const again = copyPages(ring);
    if (again.count > best.count) best = again;
  }
  return best.snapshot();
}

/**
 * Takes a snapshot on the writer's own thread, between two events, while the reader may read. What it has consumed of its page is
 * still there and is copied too; where it took another page meanwhile, the copies may not fit together, and it is tried again.
 */
export function takeSnapshotOf(memory: ArrayBufferLike | RingMemory): RingBufferSnapshot {
  const ring = new SharedRing(ringMemory(memory));
  for (let attempt = 1; ; attempt++) {
    const reader = ring.readerPage();
    const read = ring.f64[at.PAGES_READ];
    const copies = copyPages(ring, 0);
    if ((reader === ring.readerPage() && read === ring.f64[at.PAGES_READ]) || attempt === ATTEMPTS) return copies.snapshot();
  }
}

/** @param from bytes of the reader page that are left out: they were consumed */
function copyPages(ring: SharedRing, from = ring.i32[at.READ_OFFSET]!): Copies {
  const tail = ring.tailPage();
  const lastSerial = ring.serial(tail);
  const reader = ring.readerPage();
  const copies = new Copies(ring, pagesInside(ring, reader, lastSerial));
  const committed = ring.committed(reader);
  let expected = ring.f64[at.NEXT_EVENT]!;
  if (from < committed) {
    const stamp = from === 0 ? ring.pageStamp(reader) : ring.f64[at.READ_STAMP]!;
    copies.copy(reader, committed, from, stamp, 0);
    expected = ring.firstEvent(reader) + ring.entries(reader);
  }
  if (tail === reader) return copies;

  let isFirst = copies.count === 0;
  for (let page = ring.findHead(); page >= 0 && copies.count <= ring.nrPages; ) {
    const serial = ring.serial(page);
    const first = ring.firstEvent(page);
    const entries = ring.entries(page);
    const isOld = ((serial - lastSerial) | 0) <= 0;
    if (isOld) copies.copy(page, ring.committed(page), 0, 0, isFirst ? 0 : first - expected);
    if (isOld && ring.serial(page) === serial) {
      if (serial === lastSerial) break;
      expected = first + entries;
      isFirst = false;
      page = ring.nextPage(page);
    } else {
      if (isOld) copies.drop();
      // The writer came by: what is older than its page is gone. Go on at what is the oldest now.
      page = ring.findHead();
      if (page >= 0 && ((ring.serial(page) - lastSerial) | 0) > 0) break;
    }
  }
  return copies;
}

/** How many pages there are to copy at most: from the oldest one to the writer's, and the reader page. */
function pagesInside(ring: SharedRing, reader: number, lastSerial: number): number {
  const head = ring.findHead();
  const oldest = head < 0 ? reader : head;
  return Math.min(Math.max(0, (lastSerial - ring.serial(oldest)) | 0) + 2, ring.nrPages + 1);
}

/** The copied pages. */
class Copies {
  /** How many pages there were when copying began, at most. */
  readonly expected: number;
  readonly #ring: SharedRing;
  #words: Uint32Array;
  readonly #pages: SnapshotPage[] = [];

  constructor(ring: SharedRing, pages: number) {
    this.#ring = ring;
    this.expected = pages;
    this.#words = new Uint32Array((pages * ring.subbufBytes) >> 2);
  }

  get count(): number {
    return this.#pages.length;
  }

  copy(page: number, committed: number, from: number, stamp: number, lost: number): void {
    const ring = this.#ring;
    const pages = this.#pages;
    const words = ring.subbufBytes >> 2;
    const to = pages.length * words;
    if (to + words > this.#words.length) {
      const grown = new Uint32Array(Math.min(this.#words.length * 2, (ring.nrPages + 1) * words));
      grown.set(this.#words);
      this.#words = grown;
    }
    const start = ring.pageOffset(page) >> 2;
    this.#words.set(ring.u32.subarray(start, start + ((PAGE_HEADER_BYTES + committed) >> 2)), to);
    this.#words[to + COMMIT_WORD] = committed;
    pages.push({ offset: to << 2, from, stamp, lost });
  }

  drop(): void {
    this.#pages.pop();
  }

  snapshot(): RingBufferSnapshot {
    return new RingBufferSnapshot(this.#words, this.#pages);
  }
}
