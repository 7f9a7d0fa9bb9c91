import type { Long } from '../../events/c-types.js';
import type { Extractor } from '../program.js';
import { AggregateTable, average, emptyStats, type Stats, variance } from './aggregate-table.js';
import type { SharedView } from './cells.js';
import { KeyIndex, type KeyPart } from './key-index.js';
import type { StatsLayout } from './layout.js';

/** An entry of all writers together. */
export interface MergedEntry {
  readonly key: readonly KeyPart[];
  readonly stats: Stats;
}

/** An aggregate as a thread reads it: the tables of all writers as one. */
export class MergedAggregate {
  readonly layout: StatsLayout;
  readonly #tables: AggregateTable[] = [];

  constructor(layout: StatsLayout) {
    this.layout = layout;
  }

  /** @param own the table if it is the thread's own */
  add(view: SharedView, own?: AggregateTable): void {
    this.#tables[this.#tables.length] = own ?? new AggregateTable(view, this.layout, false);
  }

  /** The samples of a key; undefined: there is no entry. */
  find(key: readonly KeyPart[]): Stats | undefined {
    let all: Stats | undefined;
    for (let i = 0; i < this.#tables.length; i++) {
      const table = this.#tables[i]!;
      const entry = table.find(key);
      if (entry < 0 || !table.open(entry) || !table.hasOpenKey(key)) continue;
      all ??= emptyStats(this.layout.buckets);
      table.mergeOpen(all);
    }
    return all;
  }

  /** All entries: those of the first writer in the order in which it made them, then what others have besides. */
  entries(): MergedEntry[] {
    const merged: MergedEntry[] = [];
    const index = new KeyIndex();
    for (let i = 0; i < this.#tables.length; i++) {
      const table = this.#tables[i]!;
      const entries = table.entries();
      for (let j = 0; j < entries.length; j++) {
        if (!table.open(entries[j]!)) continue;
        const key = table.openKey();
        let place = key.length === 0 ? (merged.length === 0 ? undefined : 0) : index.get(key);
        if (place === undefined) {
          place = merged.length;
          merged[place] = { key, stats: emptyStats(this.layout.buckets) };
          if (key.length > 0) index.set(key, place);
        }
        table.mergeOpen(merged[place]!.stats);
      }
    }
    return merged;
  }

  /** Deletes what a key has, or sets it to no samples. */
  remove(key: readonly KeyPart[]): void {
    for (let i = 0; i < this.#tables.length; i++) {
      const entry = this.#tables[i]!.find(key);
      if (entry >= 0) this.#tables[i]!.request(entry, false);
    }
  }

  clear(isZeroed: boolean): void {
    for (let i = 0; i < this.#tables.length; i++) {
      const entries = this.#tables[i]!.entries();
      for (let j = 0; j < entries.length; j++) this.#tables[i]!.request(entries[j]!, isZeroed);
    }
  }
}

/** What is extracted of samples. */
export const EXTRACT: Readonly<Record<Extractor, (stats: Stats, bits: number) => Long>> = {
  count: ({ count }) => count,
  sum: ({ sum }) => sum,
  min: ({ min }) => min,
  max: ({ max }) => max,
  avg: average,
  variance,
};
