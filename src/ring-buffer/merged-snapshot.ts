import type { EventSnapshot } from './cpu-reader.js';

/** The events of two snapshots in the order of time; of equal times the first one's come first. */
export class MergedSnapshot implements EventSnapshot {
  words: Uint32Array;
  bytes: Uint8Array;
  lost = 0;
  ts = 0;
  payload = 0;
  length = 0;
  readonly #first: EventSnapshot;
  readonly #second: EventSnapshot;
  /** Whether each stands on an event that was not given yet. */
  #hasFirst: boolean;
  #hasSecond: boolean;

  constructor(first: EventSnapshot, second: EventSnapshot) {
    this.#first = first;
    this.#second = second;
    this.words = first.words;
    this.bytes = first.bytes;
    this.#hasFirst = first.next();
    this.#hasSecond = second.next();
  }

  next(): boolean {
    if (!this.#hasFirst && !this.#hasSecond) return false;
    const isFirst = this.#hasFirst && (!this.#hasSecond || this.#first.ts <= this.#second.ts);
    const source = isFirst ? this.#first : this.#second;
    this.words = source.words;
    this.bytes = source.bytes;
    this.lost = source.lost;
    this.ts = source.ts;
    this.payload = source.payload;
    this.length = source.length;
    if (isFirst) this.#hasFirst = source.next();
    else this.#hasSecond = source.next();
    return true;
  }
}
