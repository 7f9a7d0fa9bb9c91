import { allocateShared } from '../base/shared-memory.js';
import { COMMIT_WORD, PAGE_HEADER_BYTES } from './event-word.js';
import { RingBufferSnapshot, type SnapshotPage } from './snapshot.js';

const GENERATION = 0;
const PAGES = 1;
const SUBBUF_BYTES = 2;
/** The most pages. */
const CAPACITY = 3;
/** Which of them the oldest page is in: behind the last comes the first. */
const OLDEST = 4;
/** How often a reader let everything go, and how often the writer knows of. */
const FORGOTTEN = 5;
const KNOWN_FORGOTTEN = 6;
/** Index of the count how often it began anew. */
const RENEWED = 7;
const KNOWN_RENEWED = 8;
/** Even, for the doubles behind. */
const HEADER_WORDS = 10;
/** Numbers that the writer gives a snapshot. */
export const LABEL_NUMBERS = 8;
/**
 * Indexes of doubles, from HEADER_WORDS on: bytes consumed, the timestamp there, events lost before the page, whether a snapshot
 * begins with it, its label.
 */
const BEGINS = 3;
const LABEL = 4;
const PAGE_DOUBLES = LABEL + LABEL_NUMBERS;
/** How often a reader tries again because the writer stored another one meanwhile. */
const ATTEMPTS = 4;

const tableBytes = (pages: number): number => HEADER_WORDS * 4 + pages * PAGE_DOUBLES * 8;

/** How a snapshot is stored. */
export interface StoredAs {
  /** Beside those that were stored before, of which the oldest go when there is no room; else in their place. */
  readonly isAdded?: boolean;
  /** At most LABEL_NUMBERS. */
  readonly label?: readonly number[];
}

/** A snapshot with what its writer said of it. */
export interface LabelledSnapshot {
  readonly snapshot: RingBufferSnapshot;
  readonly label: readonly number[];
}

/** Memory in which one thread stores snapshots for another thread to load. */
export function createSnapshotMemory(pages: number, subbufBytes: number): SharedArrayBuffer {
  const memory = allocateShared(tableBytes(pages) + pages * subbufBytes);
  const words = new Int32Array(memory);
  words[SUBBUF_BYTES] = subbufBytes;
  words[CAPACITY] = pages;
  return memory;
}

/**
 * Stores the pages of a snapshot that were written to at `since` or later.
 * @returns false when they do not fit
 */
export function storeSnapshot(
  memory: SharedArrayBuffer,
  snapshot: RingBufferSnapshot,
  since: number,
  { isAdded = false, label = [] }: StoredAs = {},
): boolean {
  const words = new Int32Array(memory);
  const subbufBytes = words[SUBBUF_BYTES]!;
  const capacity = words[CAPACITY]!;
  const stamp = (page: SnapshotPage | undefined): number =>
    page === undefined ? Number.POSITIVE_INFINITY : page.from > 0 ? page.stamp : stampOf(snapshot, page);
  const pages = snapshot.pages.filter((_, index) => stamp(snapshot.pages[index + 1]) >= since);
  if (pages.length > capacity) return false;
  // Odd while it is stored; also before, when the thread that stored the one before was terminated at it.
  const wasWhole = (Atomics.or(words, GENERATION, 1) & 1) === 0;
  const forgotten = Atomics.load(words, FORGOTTEN);
  const renewed = Atomics.load(words, RENEWED);
  const stays = isAdded && wasWhole && forgotten === words[KNOWN_FORGOTTEN] && renewed === words[KNOWN_RENEWED];
  words[KNOWN_FORGOTTEN] = forgotten;
  words[KNOWN_RENEWED] = renewed;
  if (!stays) words[PAGES] = 0;
  const table = tableOf(memory, capacity);
  while (words[PAGES]! + pages.length > capacity) dropOldest(words, table, capacity);
  const target = new Uint32Array(memory, tableBytes(capacity));
  pages.forEach(({ offset, from, stamp: at, lost }, index) => {
    const place = (words[OLDEST]! + words[PAGES]! + index) % capacity;
    table.set([from, at, lost, index === 0 ? 1 : 0, ...label], place * PAGE_DOUBLES);
    const start = offset >> 2;
    const length = (PAGE_HEADER_BYTES + snapshot.words[start + COMMIT_WORD]!) >> 2;
    target.set(snapshot.words.subarray(start, start + length), (place * subbufBytes) >> 2);
  });
  words[PAGES]! += pages.length;
  Atomics.add(words, GENERATION, 1);
  return true;
}

/** Lets go what is stored. A thread that is just storing one keeps that. */
export function forgetSnapshots(memory: SharedArrayBuffer): void {
  Atomics.add(new Int32Array(memory), FORGOTTEN, 1);
}

/** The next that is stored takes the place of what is stored, also if it is to be added. */
export function renewSnapshots(memory: SharedArrayBuffer): void {
  Atomics.add(new Int32Array(memory), RENEWED, 1);
}

/** The snapshots that are stored, oldest first, in memory of their own; none when they are replaced all the time. */
export function loadSnapshots(memory: SharedArrayBuffer): readonly LabelledSnapshot[] {
  const words = new Int32Array(memory);
  for (let i = 0; i < ATTEMPTS; i++) {
    const generation = Atomics.load(words, GENERATION);
    if (generation === 0 || Atomics.load(words, FORGOTTEN) !== words[KNOWN_FORGOTTEN]) return [];
    if ((generation & 1) !== 0) continue;
    const snapshots = copiesOf(memory, words);
    // A read-modify-write keeps the copy before it, on arm64 too.
    if (Atomics.or(words, GENERATION, 0) === generation) return snapshots;
  }
  return [];
}

/** The snapshot that was stored last. */
export const loadSnapshot = (memory: SharedArrayBuffer): RingBufferSnapshot | undefined => loadSnapshots(memory).at(-1)?.snapshot;

function dropOldest(words: Int32Array, table: Float64Array, capacity: number): void {
  do {
    words[OLDEST] = (words[OLDEST]! + 1) % capacity;
    words[PAGES]!--;
  } while (words[PAGES]! > 0 && table[words[OLDEST]! * PAGE_DOUBLES + BEGINS] === 0);
}

function copiesOf(memory: SharedArrayBuffer, words: Int32Array): readonly LabelledSnapshot[] {
  const subbufBytes = words[SUBBUF_BYTES]!;
  const capacity = words[CAPACITY]!;
  const table = tableOf(memory, capacity);
  const copies = new Uint32Array(memory, tableBytes(capacity), (capacity * subbufBytes) >> 2).slice();
  const found: { readonly label: readonly number[]; readonly pages: SnapshotPage[] }[] = [];
  for (let i = 0; i < words[PAGES]!; i++) {
    const place = (words[OLDEST]! + i) % capacity;
    const row = table.subarray(place * PAGE_DOUBLES, (place + 1) * PAGE_DOUBLES);
    const [from, stamp, lost, begins, ...label] = row as unknown as number[];
    if (begins === 1 || found.length === 0) found.push({ label, pages: [] });
    found.at(-1)!.pages.push({ offset: place * subbufBytes, from: from!, stamp: stamp!, lost: lost! });
  }
  return found.map(({ label, pages }) => ({ label, snapshot: new RingBufferSnapshot(copies, pages) }));
}

const tableOf = (memory: SharedArrayBuffer, capacity: number): Float64Array =>
  new Float64Array(memory, HEADER_WORDS * 4, capacity * PAGE_DOUBLES);

const stampOf = ({ words }: RingBufferSnapshot, { offset }: SnapshotPage): number =>
  words[offset >> 2]! + words[(offset >> 2) + 1]! * 2 ** 32;
