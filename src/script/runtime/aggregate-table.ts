import {
  AtomicsAdd as addAtomically,
  BigIntAsIntN as asIntN,
  BigInt_ as bigInt,
  AtomicsLoad as load,
  ArrayBuffer_ as Memory,
  AtomicsStore as store,
} from '../../base/primordials.js';
import type { Long } from '../../events/c-types.js';
import { bucketOf } from './buckets.js';
import { readLeaf, readLong, type SharedView, viewOf, writeLeaf, writeLong } from './cells.js';
import { FreshTexts } from './fresh-texts.js';
import { KeyIndex, type KeyPart } from './key-index.js';
import { AGGREGATE as AT, type StatsLayout, TABLE } from './layout.js';
import { add, divide, SAFE, toLong } from './longs.js';
import { plainHash } from './text.js';

/** How often an entry is copied that changes meanwhile. */
const TRIES = 8;

/**
 * One writer's table of the samples of an aggregate, in shared memory. Its writer adds without a lock; every thread reads. An
 * entry is deleted by a request, which its writer follows at the next sample of it: until then readers pass over it.
 */
export class AggregateTable {
  readonly layout: StatsLayout;
  readonly #view: SharedView;
  readonly #words: Int32Array;
  readonly #doubles: Float64Array;
  readonly #index = new KeyIndex();
  /** Some of #index again; absent: nobody has asked for a text that was made for this. */
  #texts: FreshTexts | undefined;
  /** Entries that #index has, and the table's generation then. */
  #indexed = 0;
  #generation = 0;
  /** Places of entries that can be used again; of the writer. */
  readonly #free: number[] = [];
  readonly #isOwn: boolean;
  /** What was opened last, and its place: of another thread's table a copy. */
  #open: SharedView;
  #openAt = 0;
  /** The place of the only entry of a scalar. */
  readonly first: number;

  /** @param isOwn this thread writes it */
  constructor(view: SharedView, layout: StatsLayout, isOwn: boolean) {
    this.layout = layout;
    this.#isOwn = isOwn;
    this.#open = view;
    this.#view = view;
    this.#words = view.words;
    this.#doubles = view.doubles;
    this.first = layout.at + TABLE.WORDS;
    if (layout.isScalar) this.#words[layout.at + TABLE.COUNT] = 1;
    this.#update();
  }

  /** A key's entry, which is made if there is none; -1 if there is no room. Only for the writer. */
  entry1(key: KeyPart): number {
    const found = this.#index.get1(key);
    return found === undefined ? this.#make([key]) : found;
  }

  entry2(first: KeyPart, second: KeyPart): number {
    const found = this.#index.get2(first, second);
    return found === undefined ? this.#make([first, second]) : found;
  }

  entryOf(key: readonly KeyPart[]): number {
    const found = this.#index.get(key);
    return found === undefined ? this.#make(key) : found;
  }

  /** The entry of the text `text`, whose plainHash this is. */
  entryText(text: string, hash: number): number {
    const texts = (this.#texts ??= new FreshTexts(this.layout.maxEntries));
    const found = texts.find(text, hash);
    if (found >= 0) return found;
    const entry = this.entry1(text);
    if (entry >= 0) texts.set(text, hash, entry);
    return entry;
  }

  /** Adds a sample. Only for the writer. */
  add(entry: number, value: Long): void {
    const words = this.#words;
    if (words[entry + AT.REQUEST] !== words[entry + AT.SEEN]) this.#reset(entry);
    const doubles = this.#doubles;
    const at = entry >> 1;
    const count = doubles[at + (AT.COUNT >> 1)]!;
    if (typeof value === 'number' && count !== 0) {
      const sum = doubles[at + (AT.SUM >> 1)]! + value;
      const min = doubles[at + (AT.MIN >> 1)]!;
      const max = doubles[at + (AT.MAX >> 1)]!;
      if (sum <= SAFE && sum >= -SAFE) doubles[at + (AT.SUM >> 1)] = sum;
      else this.#sum(entry, value);
      // What is no number is a bigint.
      if (!(value >= min)) this.#min(entry, value);
      if (!(value <= max)) this.#max(entry, value);
    } else if (count === 0) {
      writeLong(this.#view, entry + AT.SUM, value);
      writeLong(this.#view, entry + AT.MIN, value);
      writeLong(this.#view, entry + AT.MAX, value);
    } else {
      this.#sum(entry, value);
      this.#min(entry, value);
      this.#max(entry, value);
    }
    const { histogram, varianceBits } = this.layout;
    if (varianceBits !== undefined) this.#vary(entry, value, count, varianceBits);
    if (histogram !== undefined) {
      const { bucketsAt, buckets } = this.layout;
      const bucket = bucketOf(histogram, value);
      doubles[(entry + bucketsAt + 2 * (bucket < buckets ? bucket : buckets - 1)) >> 1]! += 1;
    }
    doubles[at + (AT.COUNT >> 1)] = count + 1;
  }

  #sum(entry: number, value: Long): void {
    writeLong(this.#view, entry + AT.SUM, add(readLong(this.#view, entry + AT.SUM), value));
  }

  #min(entry: number, value: Long): void {
    if (value < readLong(this.#view, entry + AT.MIN)) writeLong(this.#view, entry + AT.MIN, value);
  }

  #max(entry: number, value: Long): void {
    if (value > readLong(this.#view, entry + AT.MAX)) writeLong(this.#view, entry + AT.MAX, value);
  }

  /** Welford's running variance, of values that are shifted; in integers of the widths that SystemTap's runtime has. */
  #vary(entry: number, value: Long, count: number, bits: number): void {
    const { bigs } = this.#view;
    const at = (entry + AT.VARIANCE) >> 1;
    const shifted = asIntN(64, bigInt(value) << bigInt(bits));
    if (count === 0) {
      bigs[at] = shifted;
      bigs[at + 1] = 0n;
      bigs[at + 2] = 0n;
      return;
    }
    const delta = asIntN(32, shifted - bigs[at]!);
    const mean = bigs[at]! + delta / bigInt(count + 1);
    const squares = bigs[at + 1]! + delta * (shifted - mean);
    bigs[at] = mean;
    bigs[at + 1] = squares;
    bigs[at + 2] = squares / bigInt(count);
  }

  #reset(entry: number): void {
    const words = this.#words;
    const { bucketsAt, buckets } = this.layout;
    this.#doubles[(entry + AT.COUNT) >> 1] = 0;
    for (let i = 0; i < buckets; i++) this.#doubles[((entry + bucketsAt) >> 1) + i] = 0;
    store(words, entry + AT.SEEN, load(words, entry + AT.REQUEST));
  }

  #make(key: readonly KeyPart[]): number {
    const words = this.#words;
    const { at, maxEntries, entryWords } = this.layout;
    // A writer that continues the table of another one.
    if (this.#update()) return this.entryOf(key);
    const count = words[at + TABLE.COUNT]!;
    let entry = count < maxEntries ? this.first + count * entryWords : this.#reuse();
    if (entry < 0 && this.layout.wraps) entry = this.#takeOldest();
    if (entry < 0) return -1;
    const version = words[entry + AT.VERSION]! | 1;
    store(words, entry + AT.VERSION, version);
    this.#reset(entry);
    const { keys } = this.layout;
    for (let i = 0; i < keys.length; i++) {
      writeLeaf(this.#view, keys[i]!.kind, entry + keys[i]!.at, key[i]!);
    }
    store(words, entry + AT.VERSION, version + 1);
    this.#index.set(key, entry);
    if (count < maxEntries) {
      this.#indexed = count + 1;
      store(words, at + TABLE.COUNT, count + 1);
    } else {
      this.#generation = load(words, at + TABLE.GENERATION) + 1;
      store(words, at + TABLE.GENERATION, this.#generation);
    }
    return entry;
  }

  /** An entry that was deleted; -1: there is none. */
  #reuse(): number {
    const words = this.#words;
    const { maxEntries, entryWords } = this.layout;
    if (this.#free.length === 0) {
      for (let i = 0; i < maxEntries; i++) {
        const entry = this.first + i * entryWords;
        if (words[entry + AT.REQUEST] === words[entry + AT.SEEN] || words[entry + AT.IS_ZEROED] === 1) continue;
        this.#forget(entry);
        this.#free[this.#free.length] = entry;
      }
    }
    if (this.#free.length === 0) return -1;
    const entry = this.#free[this.#free.length - 1]!;
    this.#free.length--;
    return entry;
  }

  /** The entry that was made first, of a table that wraps. */
  #takeOldest(): number {
    const words = this.#words;
    const { at, maxEntries, entryWords } = this.layout;
    const oldest = words[at + TABLE.OLDEST]!;
    words[at + TABLE.OLDEST] = (oldest + 1) % maxEntries;
    const entry = this.first + oldest * entryWords;
    this.#forget(entry);
    return entry;
  }

  #forget(entry: number): void {
    const key = this.#keyOf(entry);
    this.#index.delete(key);
    const first = key[0];
    if (this.#texts !== undefined && typeof first === 'string') this.#texts.delete(first, plainHash(first, first.length));
  }

  /** Puts what the writer has made since into the index. @returns whether there was something */
  #update(): boolean {
    const words = this.#words;
    const { at, isScalar, entryWords } = this.layout;
    if (isScalar) return false;
    const generation = load(words, at + TABLE.GENERATION);
    const count = load(words, at + TABLE.COUNT);
    if (generation !== this.#generation) {
      this.#index.clear();
      this.#texts?.clear();
      this.#indexed = 0;
    } else if (count === this.#indexed) return false;
    for (let i = this.#indexed; i < count; i++) {
      const entry = this.first + i * entryWords;
      this.#index.set(this.#keyOf(entry), entry);
    }
    this.#indexed = count;
    this.#generation = generation;
    return true;
  }

  /** A key's entry for a reader; -1: it has none, or it was deleted. */
  find(key: readonly KeyPart[]): number {
    if (this.layout.isScalar) return this.first;
    this.#update();
    const entry = this.#index.get(key);
    return entry !== undefined && this.isThere(entry) ? entry : -1;
  }

  /** The places of all entries that were not deleted, in the order in which they were made. */
  entries(): number[] {
    const count = load(this.#words, this.layout.at + TABLE.COUNT);
    const all: number[] = [];
    for (let i = 0; i < count; i++) {
      const entry = this.first + i * this.layout.entryWords;
      if (this.isThere(entry)) all[all.length] = entry;
    }
    return all;
  }

  isThere(entry: number): boolean {
    return this.#count(entry) > 0 || this.#words[entry + AT.IS_ZEROED] === 1;
  }

  /** Samples of an entry; 0 of one that was deleted. */
  #count(entry: number): number {
    const words = this.#words;
    return load(words, entry + AT.REQUEST) === load(words, entry + AT.SEEN) ? this.#doubles[(entry + AT.COUNT) >> 1]! : 0;
  }

  #keyOf(entry: number): KeyPart[] {
    return this.#keyAt(this.#view, entry);
  }

  #keyAt(view: SharedView, entry: number): KeyPart[] {
    const { keys } = this.layout;
    const key: KeyPart[] = [];
    for (let i = 0; i < keys.length; i++) key[i] = readLeaf(view, keys[i]!.kind, entry + keys[i]!.at);
    return key;
  }

  /**
   * Opens an entry for openKey and mergeOpen, as it is at one time: its writer may give its place to another key meanwhile.
   * @returns whether it is there
   */
  open(entry: number): boolean {
    if (this.#isOwn) {
      this.#openAt = entry;
      return this.isThere(entry);
    }
    const words = this.#words;
    const { entryWords } = this.layout;
    if (this.#open === this.#view) this.#open = viewOf(new Memory(4 * entryWords));
    const copy = this.#open.words;
    for (let i = 0; i < TRIES; i++) {
      const version = load(words, entry + AT.VERSION);
      for (let j = 0; j < entryWords; j++) copy[j] = words[entry + j]!;
      if ((version & 1) !== 0 || load(words, entry + AT.VERSION) !== version) continue;
      return this.#openCount() > 0 || copy[AT.IS_ZEROED] === 1;
    }
    return false;
  }

  #openCount(): number {
    const { words, doubles } = this.#open;
    const entry = this.#openAt;
    return words[entry + AT.REQUEST] === words[entry + AT.SEEN] ? doubles[(entry + AT.COUNT) >> 1]! : 0;
  }

  /** The key of the open entry. */
  openKey(): KeyPart[] {
    return this.#keyAt(this.#open, this.#openAt);
  }

  /** Whether this is the key of the open entry. */
  hasOpenKey(key: readonly KeyPart[]): boolean {
    if (this.#isOwn) return true;
    const own = this.openKey();
    for (let i = 0; i < own.length; i++) if (own[i] !== key[i]) return false;
    return true;
  }

  /** Deletes an entry; or keeps it, with no samples. On any thread. */
  request(entry: number, isZeroed: boolean): void {
    store(this.#words, entry + AT.IS_ZEROED, isZeroed ? 1 : 0);
    addAtomically(this.#words, entry + AT.REQUEST, 1);
  }

  /** Adds the samples of the open entry to what was read of other writers. */
  mergeOpen(all: Stats): void {
    const { doubles, bigs } = this.#open;
    const entry = this.#openAt;
    const count = this.#openCount();
    if (count === 0) return;
    const min = readLong(this.#open, entry + AT.MIN);
    const max = readLong(this.#open, entry + AT.MAX);
    if (all.count === 0 || min < all.min) all.min = min;
    if (all.count === 0 || max > all.max) all.max = max;
    all.count += count;
    all.sum = add(all.sum, readLong(this.#open, entry + AT.SUM));
    const { bucketsAt, buckets, varianceBits } = this.layout;
    for (let i = 0; i < buckets; i++) all.buckets[i]! += doubles[((entry + bucketsAt) >> 1) + i]!;
    if (varianceBits === undefined) return;
    const at = (entry + AT.VARIANCE) >> 1;
    all.parts[all.parts.length] = { count: bigInt(count), mean: bigs[at]!, variance: bigs[at + 2]! };
  }
}

/** Samples of all writers together. */
export interface Stats {
  count: number;
  sum: Long;
  min: Long;
  max: Long;
  readonly buckets: number[];
  /** For the variance: what each writer has. */
  readonly parts: { readonly count: bigint; readonly mean: bigint; readonly variance: bigint }[];
}

export function emptyStats(buckets: number): Stats {
  const counts: number[] = [];
  for (let i = 0; i < buckets; i++) counts[i] = 0;
  return { count: 0, sum: 0, min: 0, max: 0, buckets: counts, parts: [] };
}

/** The average, cut; of no samples 0. */
export const average = ({ count, sum }: Stats): Long => (count === 0 ? 0 : divide(sum, count));

/** The variance of all samples from the variances of each writer's (total variance), with so many bits behind the point. */
export function variance({ count, sum, parts }: Stats, bits: number): Long {
  if (count < 2) return 0;
  const mean = asIntN(64, bigInt(sum) << bigInt(bits)) / bigInt(count);
  let squares = 0n;
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i]!;
    squares += part.count * (part.mean - mean) * (part.mean - mean) + (part.count - 1n) * part.variance;
  }
  const shifted = asIntN(64, squares) / bigInt(count - 1);
  return toLong(shifted >> bigInt(2 * bits));
}
