import type { CpuReader, EventSnapshot } from './cpu-reader.js';
import { MergedSnapshot } from './merged-snapshot.js';
import { PageBuilder } from './page-builder.js';
import type { RingBufferReader } from './reader.js';
import type { RingBufferStats } from './stats.js';

/**
 * Reads two ring buffers as one, in the order of time. The second one has few events, most of the time none: then pages of the
 * first are copied whole.
 */
export class MergedReader implements CpuReader {
  ts = 0;
  payload = 0;
  length = 0;
  lost = 0;
  number = 0;
  readonly #first: RingBufferReader;
  readonly #second: RingBufferReader;
  /** The ring of the peeked event, and its number there: it stays the next event, even if an older one appears. */
  #next: RingBufferReader;
  #nextNumber = -1;

  constructor(first: RingBufferReader, second: RingBufferReader) {
    this.#first = first;
    this.#second = second;
    this.#next = first;
  }

  get bytes(): Uint8Array {
    return this.#next.bytes;
  }

  /** Of both. */
  get nrPages(): number {
    return this.#first.nrPages + this.#second.nrPages;
  }

  peek(): boolean {
    const isSame = this.#next.peek() && this.#next.number === this.#nextNumber;
    if (!isSame && !this.#choose()) return false;
    const next = this.#next;
    this.ts = next.ts;
    this.payload = next.payload;
    this.length = next.length;
    this.lost = next.lost;
    this.number = 2 * next.number + (next === this.#first ? 0 : 1);
    return true;
  }

  consume(): void {
    if (this.peek()) this.#next.consume();
  }

  /**
   * As RingBufferReader.readPage(). While the second ring buffer holds events the page is made of single ones; with `full`
   * it is one that no writer has left only if the other writer has left its own.
   */
  readPage(into: Uint8Array, full = false): boolean {
    const first = this.#first;
    const second = this.#second;
    if (second.isEmpty()) return first.readPage(into, full);
    const isDue = (): boolean => !full || first.hasFullPage() || second.hasFullPage();
    if (!isDue()) return false;
    if (first.isEmpty()) return second.readPage(into, full);
    const page = new PageBuilder(into.subarray(0, first.subbufBytes));
    // What follows the last event of the second one is copied by the next call.
    while (!second.isEmpty() && isDue() && this.peek() && page.add(this)) this.consume();
    page.finish();
    return true;
  }

  snapshot(): EventSnapshot {
    return new MergedSnapshot(this.#first.snapshot(), this.#second.snapshot());
  }

  isEmpty(): boolean {
    return this.#first.isEmpty() && this.#second.isEmpty();
  }

  stats(nowTs: number): RingBufferStats {
    const a = this.#first.stats(nowTs);
    const b = this.#second.stats(nowTs);
    const oldest = [a, b].filter(({ entries }) => entries > 0).map(({ oldestEventTs }) => oldestEventTs);
    return {
      entries: a.entries + b.entries,
      overrun: a.overrun + b.overrun,
      commitOverrun: a.commitOverrun + b.commitOverrun,
      bytes: a.bytes + b.bytes,
      oldestEventTs: oldest.length === 0 ? a.oldestEventTs : Math.min(...oldest),
      nowTs,
      droppedEvents: a.droppedEvents + b.droppedEvents,
      readEvents: a.readEvents + b.readEvents,
    };
  }

  clear(): void {
    this.#first.clear();
    this.#second.clear();
  }

  addWatermark(percent: number): void {
    this.#first.addWatermark(percent);
    this.#second.addWatermark(percent);
  }

  removeWatermark(percent: number): void {
    this.#first.removeWatermark(percent);
    this.#second.removeWatermark(percent);
  }

  isFull(percent: number): boolean {
    return this.#first.isFull(percent) || this.#second.isFull(percent);
  }

  nextWakeUp(timeoutMs: number): Promise<void> {
    return Promise.race([this.#first.nextWakeUp(timeoutMs), this.#second.nextWakeUp(timeoutMs)]);
  }

  nextEvent(timeoutMs: number): Promise<void> {
    return Promise.race([this.#first.nextEvent(timeoutMs), this.#second.nextEvent(timeoutMs)]);
  }

  #choose(): boolean {
    const first = this.#first;
    const second = this.#second;
    const hasFirst = first.peek();
    const hasSecond = second.peek();
    if (!hasFirst && !hasSecond) return false;
    this.#next = hasFirst && (!hasSecond || first.ts <= second.ts) ? first : second;
    this.#nextNumber = this.#next.number;
    return true;
  }
}
