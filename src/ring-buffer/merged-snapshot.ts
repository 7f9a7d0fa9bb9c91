import type { EventSnapshot } from './cpu-reader.js';

/** The events of some snapshots in the order of time; of equal times those of an earlier snapshot come first. */
export class MergedSnapshot implements EventSnapshot {
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
