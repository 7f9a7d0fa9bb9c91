import { MathImul as imul } from '../../base/primordials.js';
import { highWord, lowWord } from '../../base/words.js';
import type { Long } from '../../events/c-types.js';
import { keyLength, putKey, readKey, readLeaf, readLong, type SharedView, writeLeaf, writeLong } from './cells.js';
import { ARRAY, type ArrayLayout, ENTRY } from './layout.js';

const hashStep = (hash: number, word: number): number => {
  const mixed = imul(hash ^ word, 0x9e3779b1);
  return mixed ^ (mixed >>> 15);
};

/** The hash of an integer, as of any other key. */
const hashOf = (low: number, high: number): number => hashStep(hashStep(0, low), high);

/**
 * An array of a script in shared memory, as one thread sees it. All its methods need the script's lock. A key is looked up as
 * words that stand in `key`; entries are their places in words, 0 is none. Entries are in the order in which they were made.
 */
export class ArrayTable {
  readonly layout: ArrayLayout;
  readonly #view: SharedView;
  readonly #words: Int32Array;
  readonly #key: Int32Array;
  /** What a look-up needs of the layout, one load away. */
  readonly #buckets: number;
  readonly #mask: number;
  readonly #valueAt: number;
  /**
   * The entry that was found or made last: a handler often comes back to it, and then nothing is hashed. A store and a read of
   * one key take 67 ns with it and 83 without, in handlers as those of bench/script-handlers.mjs.
   */
  #last: number;

  /** @param key where the keys that are looked up stand, of all arrays of a thread */
  constructor(view: SharedView, layout: ArrayLayout, key: Int32Array) {
    this.#view = view;
    this.#words = view.words;
    this.layout = layout;
    this.#key = key;
    this.#buckets = layout.at + ARRAY.WORDS;
    this.#mask = layout.mask;
    this.#valueAt = layout.values[0]?.at ?? 0;
    this.#last = layout.entriesAt;
  }

  get size(): number {
    const { at } = this.layout;
    return this.#words[at + ARRAY.COUNT]! - (this.#words[at + ARRAY.GONE] === 0 ? 0 : 1);
  }

  /** Puts part `n` of the key that is looked up next. */
  put(n: number, value: Long | string): void {
    const { kind, at } = this.layout.keys[n]!;
    putKey(this.#key, kind, at, value);
  }

  /** The key's entry, or 0. */
  find(): number {
    return this.#search(this.#hash());
  }

  /** The key's entry, which is made with 0 and "" as values; 0 if there is no room. */
  insert(): number {
    const hash = this.#hash();
    const found = this.#search(hash);
    return found === 0 ? this.#add(hash) : found;
  }

  /** The entry of a key of one integer, or 0. */
  findLong(key: Long): number {
    const words = this.#words;
    const low = lowWord(key);
    const high = highWord(key);
    const last = this.#last;
    if (words[last + ENTRY.WORDS] === low && words[last + ENTRY.WORDS + 1] === high && words[last + ENTRY.IS_THERE] === 1) {
      return last;
    }
    return this.#searchWords(low, high, hashOf(low, high));
  }

  insertLong(key: Long): number {
    const words = this.#words;
    const low = lowWord(key);
    const high = highWord(key);
    const last = this.#last;
    if (words[last + ENTRY.WORDS] === low && words[last + ENTRY.WORDS + 1] === high) {
      if (words[last + ENTRY.IS_THERE] === 1) return last;
      if (this.#isGone(last)) return this.#takeBack(last);
    }
    const hash = hashOf(low, high);
    const found = this.#searchWords(low, high, hash);
    return found !== 0 ? found : this.#addLong(low, high, hash);
  }

  /** Whether an entry was removed last, and stands where it would be made again. */
  #isGone(entry: number): boolean {
    const { at } = this.layout;
    return this.#words[at + ARRAY.GONE] === entry && this.#words[at + ARRAY.TAIL] === entry;
  }

  #takeBack(entry: number): number {
    this.#words[this.layout.at + ARRAY.GONE] = 0;
    this.#words[entry + ENTRY.IS_THERE] = 1;
    this.#clearValues(entry);
    return entry;
  }

  #searchWords(low: number, high: number, hash: number): number {
    const words = this.#words;
    let entry = words[this.#buckets + (hash & this.#mask)]!;
    while (entry !== 0 && (words[entry + ENTRY.WORDS] !== low || words[entry + ENTRY.WORDS + 1] !== high)) {
      entry = words[entry + ENTRY.CHAIN]!;
    }
    if (entry === 0 || words[entry + ENTRY.IS_THERE] === 0) return 0;
    this.#last = entry;
    return entry;
  }

  #addLong(low: number, high: number, hash: number): number {
    const entry = this.#take();
    if (entry === 0) return 0;
    const words = this.#words;
    words[entry + ENTRY.WORDS] = low;
    words[entry + ENTRY.WORDS + 1] = high;
    this.#put(entry, hash);
    return entry;
  }

  #hash(): number {
    const { keys } = this.layout;
    const key = this.#key;
    let hash = 0;
    for (let n = 0; n < keys.length; n++) {
      const { kind, at } = keys[n]!;
      const end = at + keyLength(key, kind, at);
      for (let i = at; i < end; i++) {
        hash = hashStep(hash, key[i]!);
      }
    }
    return hash;
  }

  #search(hash: number): number {
    const words = this.#words;
    const { at, mask } = this.layout;
    let entry = words[at + ARRAY.WORDS + (hash & mask)]!;
    while (entry !== 0 && !(words[entry + ENTRY.HASH] === hash && this.#isKey(entry + ENTRY.WORDS))) {
      entry = words[entry + ENTRY.CHAIN]!;
    }
    return entry === 0 || words[entry + ENTRY.IS_THERE] === 0 ? 0 : entry;
  }

  #isKey(place: number): boolean {
    const { keys } = this.layout;
    const key = this.#key;
    const words = this.#words;
    for (let n = 0; n < keys.length; n++) {
      const { kind, at } = keys[n]!;
      const end = at + keyLength(key, kind, at);
      for (let i = at; i < end; i++) if (words[place + i] !== key[i]) return false;
    }
    return true;
  }

  #add(hash: number): number {
    const entry = this.#take();
    if (entry === 0) return 0;
    const { keys } = this.layout;
    const words = this.#words;
    const key = this.#key;
    for (let n = 0; n < keys.length; n++) {
      const leaf = keys[n]!;
      const end = leaf.at + keyLength(key, leaf.kind, leaf.at);
      for (let i = leaf.at; i < end; i++) words[entry + ENTRY.WORDS + i] = key[i]!;
    }
    this.#put(entry, hash);
    return entry;
  }

  /** A place for an entry; 0 if there is no room. */
  #take(): number {
    const words = this.#words;
    const { at, wraps, maxEntries, entriesAt, entryWords } = this.layout;
    this.#unlink();
    if (wraps && words[at + ARRAY.COUNT]! >= maxEntries) {
      this.remove(words[at + ARRAY.HEAD]!);
      this.#unlink();
    }
    const free = words[at + ARRAY.FREE]!;
    if (free !== 0) {
      words[at + ARRAY.FREE] = words[free + ENTRY.CHAIN]!;
      return free;
    }
    const fresh = words[at + ARRAY.FRESH]!;
    if (fresh >= maxEntries) return 0;
    words[at + ARRAY.FRESH] = fresh + 1;
    return entriesAt + fresh * entryWords;
  }

  /** Makes an entry of a place that has a key: with 0 and "" as values, in its chain, and at the end of the list. */
  #put(entry: number, hash: number): void {
    const words = this.#words;
    const { at } = this.layout;
    this.#clearValues(entry);
    const bucket = this.#buckets + (hash & this.#mask);
    words[entry + ENTRY.HASH] = hash;
    words[entry + ENTRY.CHAIN] = words[bucket]!;
    words[entry + ENTRY.IS_THERE] = 1;
    words[bucket] = entry;
    words[at + ARRAY.COUNT]!++;
    this.#append(entry);
    this.#last = entry;
  }

  #clearValues(entry: number): void {
    const { values } = this.layout;
    for (let n = 0; n < values.length; n++) {
      const { kind, at } = values[n]!;
      writeLeaf(this.#view, kind, entry + at, kind === 'string' || kind === 'stack' ? '' : 0);
    }
  }

  /** Puts an entry at the end of the list. */
  #append(entry: number): void {
    const words = this.#words;
    const { at } = this.layout;
    const last = words[at + ARRAY.TAIL]!;
    words[entry + ENTRY.PREVIOUS] = last;
    words[entry + ENTRY.NEXT] = 0;
    if (last === 0) words[at + ARRAY.HEAD] = entry;
    else words[last + ENTRY.NEXT] = entry;
    words[at + ARRAY.TAIL] = entry;
  }

  /**
   * Removes an entry. It is unlinked when the next one is removed or made: what a call stores at its entry and removes at its end
   * then takes a few words, not links in two lists: 26 of 160 ns, the line "entry and return" of bench/script-handlers.mjs.
   */
  remove(entry: number): void {
    if (entry === 0) return;
    this.#unlink();
    this.#words[entry + ENTRY.IS_THERE] = 0;
    this.#words[this.layout.at + ARRAY.GONE] = entry;
  }

  /** Unlinks the entry that was removed last. */
  #unlink(): void {
    const { at } = this.layout;
    const entry = this.#words[at + ARRAY.GONE]!;
    if (entry !== 0) this.#unlinkGone(entry);
  }

  #unlinkGone(entry: number): void {
    const words = this.#words;
    const { at, mask } = this.layout;
    words[at + ARRAY.GONE] = 0;
    const bucket = at + ARRAY.WORDS + (words[entry + ENTRY.HASH]! & mask);
    let before = words[bucket]!;
    if (before === entry) words[bucket] = words[entry + ENTRY.CHAIN]!;
    else {
      while (words[before + ENTRY.CHAIN] !== entry) before = words[before + ENTRY.CHAIN]!;
      words[before + ENTRY.CHAIN] = words[entry + ENTRY.CHAIN]!;
    }
    const previous = words[entry + ENTRY.PREVIOUS]!;
    const next = words[entry + ENTRY.NEXT]!;
    if (previous === 0) words[at + ARRAY.HEAD] = next;
    else words[previous + ENTRY.NEXT] = next;
    if (next === 0) words[at + ARRAY.TAIL] = previous;
    else words[next + ENTRY.PREVIOUS] = previous;
    words[entry + ENTRY.CHAIN] = words[at + ARRAY.FREE]!;
    words[at + ARRAY.FREE] = entry;
    words[at + ARRAY.COUNT]!--;
  }

  /** Removes all entries. */
  clear(): void {
    const { at, mask } = this.layout;
    const words = this.#words;
    for (let entry = words[at + ARRAY.HEAD]!; entry !== 0; entry = words[entry + ENTRY.NEXT]!) words[entry + ENTRY.IS_THERE] = 0;
    for (let i = 0; i <= mask; i++) words[at + ARRAY.WORDS + i] = 0;
    for (let i = 0; i < ARRAY.WORDS; i++) words[at + i] = 0;
  }

  /** Whether an entry that was there in a visit is still there. */
  isThere(entry: number): boolean {
    return this.#words[entry + ENTRY.IS_THERE] === 1;
  }

  /** All entries in their order. */
  entries(): number[] {
    const words = this.#words;
    const all: number[] = [];
    let n = 0;
    for (let entry = words[this.layout.at + ARRAY.HEAD]!; entry !== 0; entry = words[entry + ENTRY.NEXT]!) {
      if (words[entry + ENTRY.IS_THERE] === 1) all[n++] = entry;
    }
    return all;
  }

  /** Puts the entries, all of them, into another order. */
  reorder(entries: readonly number[]): void {
    const { at } = this.layout;
    this.#unlink();
    this.#words[at + ARRAY.HEAD] = 0;
    this.#words[at + ARRAY.TAIL] = 0;
    for (let i = 0; i < entries.length; i++) this.#append(entries[i]!);
  }

  /** Part `n` of an entry's key. */
  key(entry: number, n: number): Long | string {
    const { kind, at } = this.layout.keys[n]!;
    return readKey(this.#view, kind, entry + ENTRY.WORDS + at);
  }

  /** Part `n` of an entry's value; of no entry 0 or "". */
  value(entry: number, n: number): Long | string {
    const { kind, at } = this.layout.values[n]!;
    if (entry === 0) return kind === 'string' || kind === 'stack' ? '' : 0;
    return readLeaf(this.#view, kind, entry + at);
  }

  /** Sets part `n` of an entry's value; of no entry nothing. */
  set(entry: number, n: number, value: Long | string): void {
    if (entry === 0) return;
    const { kind, at } = this.layout.values[n]!;
    writeLeaf(this.#view, kind, entry + at, value);
  }

  /** The `value` of an array of longs. */
  long(entry: number): Long {
    return entry === 0 ? 0 : readLong(this.#view, entry + this.#valueAt);
  }

  setLong(entry: number, value: Long): void {
    if (entry !== 0) writeLong(this.#view, entry + this.#valueAt, value);
  }
}
