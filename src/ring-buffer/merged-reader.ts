import type { CpuReader, EventSnapshot } from './cpu-reader.js';
import { PageBuilder } from './page-builder.js';
import type { RingBufferReader } from './reader.js';
import type { RingBufferStats } from './stats.js';

/** The events of some snapshots in the order of time; of equal times those of an earlier snapshot come first. */
class MergedSnapshot implements EventSnapshot {
  words: Uint32Array;
  bytes: Uint8Array;
  lost = 0;
  ts = 0;
  payload = 0;
  length = 0;
  /** Snapshots that stand on an event that was not given yet. */
  readonly #left: EventSnapshot[];

  constructor(...snapshots: readonly EventSnapshot[]) {
    const [first] = snapshots;
    this.words = first!.words;
    this.bytes = first!.bytes;
    this.#left = snapshots.filter((snapshot) => snapshot.next());
  }

  next(): boolean {
    const left = this.#left;
    if (left.length === 0) return false;
    let oldest = 0;
    for (let i = 1; i < left.length; i++) if (left[i]!.ts < left[oldest]!.ts) oldest = i;
    const source = left[oldest]!;
    this.words = source.words;
    this.bytes = source.bytes;
    this.lost = source.lost;
    this.ts = source.ts;
    this.payload = source.payload;
    this.length = source.length;
    if (!source.next()) left.splice(oldest, 1);
    return true;
  }
}

/**
 * Reads some ring buffers as one, in the order of time. Most of the time all but one are empty: then its pages are copied whole.
 * What one thread writes to several of them is read in the order in which it was written, if its times grow.
 */
export class MergedReader implements CpuReader {
  ts = 0;
  payload = 0;
  length = 0;
  lost = 0;
  number = 0;
  readonly #readers: readonly RingBufferReader[];
  /** The ring of the peeked event, and its number there: it stays the next event, even if an older one appears. */
  #next: RingBufferReader;
  #nextNumber = -1;

  constructor(...readers: readonly [RingBufferReader, ...RingBufferReader[]]) {
    this.#readers = readers;
    this.#next = readers[0];
  }

  get bytes(): Uint8Array {
    return this.#next.bytes;
  }

  /** Pages of all ring buffers. */
  get nrPages(): number {
    return this.#sum(({ nrPages }) => nrPages);
  }

  peek(): boolean {
    const isSame = this.#next.peek() && this.#next.number === this.#nextNumber;
    if (!isSame && !this.#choose()) return false;
    const next = this.#next;
    this.ts = next.ts;
    this.payload = next.payload;
    this.length = next.length;
    this.lost = next.lost;
    this.number = this.#readers.length * next.number + this.#readers.indexOf(next);
    return true;
  }

  consume(): void {
    if (this.peek()) this.#next.consume();
  }

  /**
   * Reads a page, as RingBufferReader.readPage() does. While several ring buffers hold events the page is made of single ones;
   * with `full` it is one that no writer has left only if another writer has left its own.
   */
  readPage(into: Uint8Array, full = false): boolean {
    const readers = this.#readers;
    // Before it is seen that the others are empty: what they get afterwards is younger than the page.
    const left = readers.find((reader) => reader.hasFullPage());
    if (full && left === undefined) return false;
    const filled = readers.filter((reader) => !reader.isEmpty());
    if (filled.length === 0) return false;
    if (filled.length === 1 && filled[0] === left) return left!.readPage(into, true);
    const page = new PageBuilder(into.subarray(0, readers[0]!.subbufBytes));
    const isDue = (): boolean => !full || readers.some((reader) => reader.hasFullPage());
    while (isDue() && this.peek() && page.add(this)) this.consume();
    page.finish();
    return page.count > 0;
  }

  snapshot(): EventSnapshot {
    return new MergedSnapshot(...this.#readers.map((reader) => reader.snapshot()));
  }

  isEmpty(): boolean {
    return this.#readers.every((reader) => reader.isEmpty());
  }

  stats(nowTs: number): RingBufferStats {
    const all = this.#readers.map((reader) => reader.stats(nowTs));
    const sum = (of: (stats: RingBufferStats) => number): number => all.reduce((total, stats) => total + of(stats), 0);
    const oldest = all.filter(({ entries }) => entries > 0).map(({ oldestEventTs }) => oldestEventTs);
    return {
      entries: sum(({ entries }) => entries),
      overrun: sum(({ overrun }) => overrun),
      commitOverrun: sum(({ commitOverrun }) => commitOverrun),
      bytes: sum(({ bytes }) => bytes),
      oldestEventTs: oldest.length === 0 ? all[0]!.oldestEventTs : Math.min(...oldest),
      nowTs,
      droppedEvents: sum(({ droppedEvents }) => droppedEvents),
      readEvents: sum(({ readEvents }) => readEvents),
    };
  }

  clear(): void {
    for (const reader of this.#readers) reader.clear();
  }

  addWatermark(percent: number): void {
    for (const reader of this.#readers) reader.addWatermark(percent);
  }

  removeWatermark(percent: number): void {
    for (const reader of this.#readers) reader.removeWatermark(percent);
  }

  isFull(percent: number): boolean {
    return this.#readers.some((reader) => reader.isFull(percent));
  }

  nextWakeUp(timeoutMs: number): Promise<void> {
    return Promise.race(this.#readers.map((reader) => reader.nextWakeUp(timeoutMs)));
  }

  nextEvent(timeoutMs: number): Promise<void> {
    return Promise.race(this.#readers.map((reader) => reader.nextEvent(timeoutMs)));
  }

  #sum(of: (reader: RingBufferReader) => number): number {
    return this.#readers.reduce((total, reader) => total + of(reader), 0);
  }

  #choose(): boolean {
    // Again, now that one has an event: an older one in a ring that was empty is there by now.
    if (this.#oldest() === undefined) return false;
    this.#next = this.#oldest()!;
    this.#nextNumber = this.#next.number;
    return true;
  }

  /** The ring with the oldest event; of equal times the first. */
  #oldest(): RingBufferReader | undefined {
    let oldest: RingBufferReader | undefined;
    for (const reader of this.#readers) {
      if (reader.peek() && (oldest === undefined || reader.ts < oldest.ts)) oldest = reader;
    }
    return oldest;
  }
}
