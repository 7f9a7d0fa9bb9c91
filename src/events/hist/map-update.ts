import type { Long } from '../c-types.js';
import { highWord, isGreater, lowWord, ofWords } from './long.js';
import { putText, textOf } from './map-text.js';
import { COMM_BYTES, type EntryLayout, HEADER, HEADER_WORDS, layoutIn, STATE, slotWords, TEXT_WORDS } from './tracing-map.js';

/** A table on a thread that adds to it. */
export interface ThreadMap extends EntryLayout {
  readonly words: Int32Array;
  readonly doubles: Float64Array;
  readonly bytes: Uint8Array;
  /** One less than the number of slots. */
  readonly mask: number;
  /** A hash's upper bits, shifted so far, are a slot. */
  readonly shift: number;
  readonly firstEntry: number;
}

export function openMap(memory: SharedArrayBuffer): ThreadMap {
  const words = new Int32Array(memory);
  const layout = layoutIn(words);
  return {
    ...layout,
    words,
    doubles: new Float64Array(memory),
    bytes: new Uint8Array(memory),
    mask: 2 ** (layout.bits + 1) - 1,
    shift: 31 - layout.bits,
    firstEntry: HEADER_WORDS + slotWords(layout.bits),
  };
}

/** One step of the hash of a key: all tables have the same, because references look a key up in other tables. */
export const hashStep = (hash: number, word: number): number => {
  const mixed = Math.imul(hash ^ word, 0x9e3779b1);
  return mixed ^ (mixed >>> 15);
};

/** The last step. Never 0, which is a free slot. */
export const hashEnd = (hash: number): number => {
  const mixed = Math.imul(hash, 0x85ebca77);
  return (mixed ^ (mixed >>> 13)) | 0 || 1;
};

/** The hash of the first `count` words of a key. */
export function hashOf(key: Int32Array, count: number): number {
  let hash = 0;
  for (let i = 0; i < count; i++) hash = hashStep(hash, key[i]!);
  return hashEnd(hash);
}

/** Counts a hit that found no entry. */
export function countDrop(words: Int32Array): void {
  if (Atomics.add(words, HEADER.DROPS, 1) === -1) Atomics.add(words, HEADER.DROPS + 1, 1);
}

/**
 * Takes a free slot for a key: writes the entry, then publishes it. Only here does an update write a key.
 * @param key the key, at least as many words as the table's keys have
 * @param comm of the task, kept if the table keeps it
 * @returns the entry's place; 0 if another thread took the slot; -1 if there is no entry left, which is counted
 */
export function claimSlot(map: ThreadMap, slot: number, hash: number, key: Int32Array, comm: string): number {
  const { words, keyWords } = map;
  if (Atomics.compareExchange(words, slot, 0, hash) !== 0) return 0;
  const most = 2 ** map.bits;
  const index = Atomics.load(words, HEADER.NEXT) < most ? Atomics.add(words, HEADER.NEXT, 1) : most;
  if (index >= most) {
    Atomics.store(words, slot, 0);
    countDrop(words);
    return -1;
  }
  const at = map.firstEntry + index * map.entryWords;
  for (let i = 0; i < keyWords; i++) words[at + i] = key[i]!;
  if (map.hasComm) putText(map.bytes, (at + map.commAt) * 4, COMM_BYTES - 1, comm);
  Atomics.store(words, slot + 1, at);
  return at;
}

const isKeyAt = (words: Int32Array, at: number, key: Int32Array, count: number): boolean => {
  for (let i = 0; i < count; i++) if (words[at + i] !== key[i]) return false;
  return true;
};

/**
 * The entry of a key, which is made if there is none (tracing_map_insert); -1 if there is no room, which is counted.
 */
export function insert(map: ThreadMap, hash: number, key: Int32Array, comm: string): number {
  const { words, mask, keyWords } = map;
  let waited = 0;
  for (let i = hash >>> map.shift; ; ) {
    const slot = HEADER_WORDS + 2 * (i & mask);
    const found = Atomics.load(words, slot);
    if (found === 0) {
      const at = claimSlot(map, slot, hash, key, comm);
      if (at !== 0) return at;
      continue;
    }
    const at = found === hash ? Atomics.load(words, slot + 1) : -1;
    if (at > 0 && isKeyAt(words, at, key, keyWords)) return at;
    if (at !== 0) i++;
    // Another thread is about to publish an entry with this hash.
    else if (++waited > mask) break;
  }
  countDrop(words);
  return -1;
}

/** The entry of a key; -1 if there is none (tracing_map_lookup). */
export function lookUp(map: ThreadMap, hash: number, key: Int32Array): number {
  const { words, mask, keyWords } = map;
  for (let i = hash >>> map.shift, tried = 0; tried <= mask; i++, tried++) {
    const slot = HEADER_WORDS + 2 * (i & mask);
    const found = Atomics.load(words, slot);
    if (found === 0) return -1;
    if (found !== hash) continue;
    const at = Atomics.load(words, slot + 1);
    if (at !== 0 && isKeyAt(words, at, key, keyWords)) return at;
  }
  return -1;
}

/** Adds a 64-bit value of two words to a sum; exact whatever other threads add. */
export function addToSum(words: Int32Array, at: number, low: number, high: number): void {
  const before = Atomics.add(words, at, low);
  const carry = (before >>> 0) + (low >>> 0) >= 4294967296 ? high + 1 : high;
  if (carry !== 0) Atomics.add(words, at + 1, carry);
}

/** Puts a 64-bit value into a key. */
export function putKey(key: Int32Array, at: number, value: Long): void {
  key[at] = lowWord(value);
  key[at + 1] = highWord(value);
}

/** Puts a text into a key, up to `room` bytes; the rest of `words` words is zero. */
export function putTextKey(key: Int32Array, bytes: Uint8Array, at: number, words: number, room: number, text: unknown): void {
  key.fill(0, at, at + words);
  if (typeof text === 'string') putText(bytes, at * 4, room, text);
}

/** Puts a stack into a key: up to `depth` addresses. */
export function putStackKey(key: Int32Array, at: number, depth: number, stack: readonly Long[]): void {
  const count = Math.min(depth, stack.length);
  for (let i = 0; i < count; i++) putKey(key, at + 2 * i, stack[i]!);
  key.fill(0, at + 2 * count, at + 2 * depth);
}

/** Sets a variable. */
export function setVariable(map: ThreadMap, entry: number, index: number, value: Long): void {
  const at = entry + map.variablesAt + 2 * index;
  if (typeof value === 'number') {
    map.doubles[at >> 1] = value;
    map.words[entry + map.statesAt + index] = STATE.NUMBER;
    return;
  }
  map.words[at] = lowWord(value);
  map.words[at + 1] = highWord(value);
  map.words[entry + map.statesAt + index] = STATE.WORDS;
}

/** Sets a variable that is a text, kept in the entry's text number `slot`, up to `room` bytes. */
export function setText(map: ThreadMap, entry: number, index: number, slot: number, room: number, text: unknown): void {
  const at = (entry + map.textsAt + TEXT_WORDS * slot) * 4;
  const end = typeof text === 'string' ? putText(map.bytes, at, room, text) : 0;
  map.bytes[at + end] = 0;
  map.words[entry + map.statesAt + index] = STATE.TEXT;
}

export const isSet = (map: ThreadMap, entry: number, index: number): boolean =>
  map.words[entry + map.statesAt + index] !== STATE.UNSET;

/** A variable's number; 0 while it is unset. */
export function readVariable(map: ThreadMap, entry: number, index: number): Long {
  const at = entry + map.variablesAt + 2 * index;
  const state = map.words[entry + map.statesAt + index];
  if (state === STATE.NUMBER) return map.doubles[at >> 1]!;
  return state === STATE.WORDS ? ofWords(map.words[at + 1]!, map.words[at]!) : 0;
}

/** A variable's text. Allocates. */
export const readText = (map: ThreadMap, entry: number, slot: number): string =>
  textOf(map.bytes, (entry + map.textsAt + TEXT_WORDS * slot) * 4, TEXT_WORDS * 4);

/** A reference that takes the value leaves the variable unset (tracing_map_read_var_once). */
export const unset = (map: ThreadMap, entry: number, index: number): void => {
  map.words[entry + map.statesAt + index] = STATE.UNSET;
};

/**
 * Whether a snapshot is to be taken: the value is greater than (onmax), or another than (onchange), that of the last one
 * (cond_snapshot_update). Notes value and key of the new one. While another thread notes one, there is none here.
 */
export function noteSnapshot(map: ThreadMap, entry: number, value: Long, isMax: boolean): boolean {
  const { words, doubles, keyWords } = map;
  if (Atomics.compareExchange(words, HEADER.SNAPSHOT_LOCK, 0, 1) !== 0) return false;
  const at = HEADER.SNAPSHOT_VALUE >> 1;
  const last = doubles[at]!;
  const isWanted = isMax ? isGreater(value, last) : Number(value) !== last;
  if (isWanted) {
    doubles[at] = Number(value);
    words.copyWithin(HEADER.SNAPSHOT_KEY, entry, entry + keyWords);
    if (map.hasComm) words.copyWithin(HEADER.SNAPSHOT_COMM, entry + map.commAt, entry + map.commAt + COMM_BYTES / 4);
    Atomics.store(words, HEADER.SNAPSHOT_SET, 1);
  }
  Atomics.store(words, HEADER.SNAPSHOT_LOCK, 0);
  return isWanted;
}
