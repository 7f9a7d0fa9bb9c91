import { allocateShared } from '../base/shared-memory.js';
import { COMMIT_WORD, PAGE_HEADER_BYTES } from './event-word.js';
import { RingBufferSnapshot, type SnapshotPage } from './snapshot.js';

const GENERATION = 0;
const PAGES = 1;
const SUBBUF_BYTES = 2;
const HEADER_WORDS = 4;
/** As doubles, from HEADER_WORDS on: bytes consumed, the timestamp there, events lost before the page. */
const PAGE_DOUBLES = 3;
/** How often a reader tries again because the writer stored another one meanwhile. */
const ATTEMPTS = 4;

const tableBytes = (pages: number): number => HEADER_WORDS * 4 + pages * PAGE_DOUBLES * 8;

/** Memory in which one thread stores snapshots, one at a time, for another thread to load. */
export function createSnapshotMemory(pages: number, subbufBytes: number): SharedArrayBuffer {
  const memory = allocateShared(tableBytes(pages) + pages * subbufBytes);
  new Int32Array(memory)[SUBBUF_BYTES] = subbufBytes;
  return memory;
}

/**
 * Stores the pages of a snapshot that were written to at `since` or later, in place of what was stored before.
 * @returns false when they do not fit
 */
export function storeSnapshot(memory: SharedArrayBuffer, snapshot: RingBufferSnapshot, since: number): boolean {
  const words = new Int32Array(memory);
  const subbufBytes = words[SUBBUF_BYTES]!;
  const stamp = (page: SnapshotPage | undefined): number =>
    page === undefined ? Number.POSITIVE_INFINITY : page.from > 0 ? page.stamp : stampOf(snapshot, page);
  const pages = snapshot.pages.filter((_, index) => stamp(snapshot.pages[index + 1]) >= since);
  if (tableBytes(pages.length) + pages.length * subbufBytes > memory.byteLength) return false;
  // Odd while it is stored; also before, when the thread that stored the one before was terminated at it.
  Atomics.or(words, GENERATION, 1);
  words[PAGES] = pages.length;
  const table = new Float64Array(memory, HEADER_WORDS * 4, pages.length * PAGE_DOUBLES);
  const target = new Uint32Array(memory, tableBytes(pages.length));
  pages.forEach(({ offset, from, stamp: at, lost }, index) => {
    table.set([from, at, lost], index * PAGE_DOUBLES);
    const start = offset >> 2;
    const length = (PAGE_HEADER_BYTES + snapshot.words[start + COMMIT_WORD]!) >> 2;
    target.set(snapshot.words.subarray(start, start + length), (index * subbufBytes) >> 2);
  });
  Atomics.add(words, GENERATION, 1);
  return true;
}

/** The snapshot that was stored last, in memory of its own; undefined when there is none, or it is replaced all the time. */
export function loadSnapshot(memory: SharedArrayBuffer): RingBufferSnapshot | undefined {
  const words = new Int32Array(memory);
  for (let i = 0; i < ATTEMPTS; i++) {
    const generation = Atomics.load(words, GENERATION);
    if (generation === 0) return undefined;
    if ((generation & 1) !== 0) continue;
    const snapshot = copyOf(memory, words);
    // A read-modify-write keeps the copy before it, on arm64 too.
    if (Atomics.or(words, GENERATION, 0) === generation) return snapshot;
  }
  return undefined;
}

function copyOf(memory: SharedArrayBuffer, words: Int32Array): RingBufferSnapshot {
  const subbufBytes = words[SUBBUF_BYTES]!;
  const count = words[PAGES]!;
  const table = new Float64Array(memory, HEADER_WORDS * 4, count * PAGE_DOUBLES);
  const pages = Array.from({ length: count }, (_, index) => ({
    offset: index * subbufBytes,
    from: table[index * PAGE_DOUBLES]!,
    stamp: table[index * PAGE_DOUBLES + 1]!,
    lost: table[index * PAGE_DOUBLES + 2]!,
  }));
  return new RingBufferSnapshot(new Uint32Array(memory, tableBytes(count), (count * subbufBytes) >> 2).slice(), pages);
}

const stampOf = ({ words }: RingBufferSnapshot, { offset }: SnapshotPage): number =>
  words[offset >> 2]! + words[(offset >> 2) + 1]! * 2 ** 32;
