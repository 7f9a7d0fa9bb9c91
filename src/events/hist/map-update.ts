import {
  AtomicsAdd as add,
  StringPrototypeCharCodeAt as charCodeAt,
  AtomicsCompareExchange as compareExchange,
  MathImul as imul,
  AtomicsLoad as load,
  AtomicsStore as store,
} from '../../base/primordials.js';
import { highWord, lowWord } from '../../base/words.js';
import type { Long } from '../c-types.js';
import { isGreater, ofWords } from './long.js';
import { putText, textOf } from './map-text.js';
import { COMM_BYTES, type EntryLayout, HEADER, HEADER_WORDS, layoutIn, STATE, slotWords, TEXT_WORDS } from './tracing-map.js';

// Taken before a program could replace them.
const asNumber = Number;

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

/**
 * One step of the hash of a key: its word number `index`, which is not 0. Words that are 0 take no step, so most of a text's room
 * costs nothing. All tables have the same hash, because references look a key up in other tables.
 */
export const hashStep = (hash: number, word: number, index: number): number => {
  const mixed = imul((hash ^ word) + index, 0x9e3779b1);
  return mixed ^ (mixed >>> 15);
};

/** The last step. Never 0, which is a free slot. */
export const hashEnd = (hash: number): number => {
  const mixed = imul(hash, 0x85ebca77);
  return (mixed ^ (mixed >>> 13)) | 0 || 1;
};

/** The hash with the words `from` up to `to` of a key. */
export function hashWords(hash: number, key: Int32Array, from: number, to: number): number {
  let next = hash;
  for (let i = from; i < to; i++) {
    const word = key[i]!;
    if (word !== 0) next = hashStep(next, word, i);
  }
  return next;
}

/** The hash of the first `count` words of a key. */
export const hashOf = (key: Int32Array, count: number): number => hashEnd(hashWords(0, key, 0, count));

/** Counts hits that found no entry, or entries that were thrown away. */
export function countDrops(words: Int32Array, drops = 1): void {
  const before = add(words, HEADER.DROPS, drops) >>> 0;
  if (before + drops >= 2 ** 32) add(words, HEADER.DROPS + 1, 1);
}

/**
 * Takes a free slot for a key: writes the entry, then publishes it. Only here does an update write a key.
 * @param key the key, at least as many words as the table's keys have
 * @param comm of the task, kept if the table keeps it
 * @returns the entry's place; 0 if another thread took the slot; -1 if there is no entry left, which is counted
 */
export function claimSlot(map: ThreadMap, slot: number, hash: number, key: Int32Array, comm: string): number {
  const { words, keyWords } = map;
  if (compareExchange(words, slot, 0, hash) !== 0) return 0;
  const most = 2 ** map.bits;
  const index = load(words, HEADER.NEXT) < most ? add(words, HEADER.NEXT, 1) : most;
  if (index >= most) {
    store(words, slot, 0);
    if (map.variables > 0) renew(map, most);
    countDrops(words);
    return -1;
  }
  const at = map.firstEntry + index * map.entryWords;
  for (let i = 0; i < keyWords; i++) words[at + i] = key[i]!;
  if (map.hasComm) putText(map.bytes, (at + map.commAt) * 4, COMM_BYTES - 1, comm);
  store(words, slot + 1, at);
  return at;
}

/**
 * Empties a full table that holds variables. They are for keys that come and go, such as the numbers of async contexts, which
 * never come back: the kernel's table would stay full for ever. Each entry counts as a drop. A hit of another thread at this
 * moment may count for a wrong key.
 */
function renew({ words, firstEntry, entryWords }: ThreadMap, most: number): void {
  // Of several threads that find the table full, one empties it.
  if (compareExchange(words, HEADER.RENEWING, 0, 1) !== 0) return;
  if (load(words, HEADER.NEXT) >= most) {
    countDrops(words, most);
    for (let i = HEADER_WORDS; i < firstEntry; i++) words[i] = 0;
    for (let i = firstEntry, end = firstEntry + most * entryWords; i < end; i++) words[i] = 0;
    store(words, HEADER.NEXT, 0);
  }
  store(words, HEADER.RENEWING, 0);
}

const isKeyAt = (words: Int32Array, at: number, key: Int32Array, count: number): boolean => {
  for (let i = 0; i < count; i++) if (words[at + i] !== key[i]) return false;
  return true;
};

/**
 * The entry of a key, which is made if there is none (tracing_map_insert); -1 if there is no room, which is counted.
 * @param count words to compare: beyond them the key is 0, and so is every key that is the same up to there
 */
export function insert(map: ThreadMap, hash: number, key: Int32Array, count: number, comm: string): number {
  const { words, mask } = map;
  let waited = 0;
  for (let i = hash >>> map.shift; ; ) {
    const slot = HEADER_WORDS + 2 * (i & mask);
    const found = load(words, slot);
    if (found === 0) {
      const at = claimSlot(map, slot, hash, key, comm);
      if (at !== 0) return at;
      continue;
    }
    const at = found === hash ? load(words, slot + 1) : -1;
    if (at > 0 && isKeyAt(words, at, key, count)) return at;
    if (at !== 0) i++;
    // Another thread is about to publish an entry with this hash.
    else if (++waited > mask) break;
  }
  countDrops(words);
  return -1;
}

/** The entry of a key; -1 if there is none (tracing_map_lookup). */
export function lookUp(map: ThreadMap, hash: number, key: Int32Array): number {
  const { words, mask, keyWords } = map;
  for (let i = hash >>> map.shift, tried = 0; tried <= mask; i++, tried++) {
    const slot = HEADER_WORDS + 2 * (i & mask);
    const found = load(words, slot);
    if (found === 0) return -1;
    if (found !== hash) continue;
    const at = load(words, slot + 1);
    if (at !== 0 && isKeyAt(words, at, key, keyWords)) return at;
  }
  return -1;
}

/** Adds a 64-bit value of two words to a sum; exact whatever other threads add. */
export function addToSum(words: Int32Array, at: number, low: number, high: number): void {
  const before = add(words, at, low);
  const carry = (before >>> 0) + (low >>> 0) >= 4294967296 ? high + 1 : high;
  if (carry !== 0) add(words, at + 1, carry);
}

/** Puts a 64-bit value into a key. */
export function putKey(key: Int32Array, at: number, value: Long): void {
  key[at] = lowWord(value);
  key[at + 1] = highWord(value);
}

/**
 * Puts a text into a key as UTF-8, up to `room` bytes, and zero bytes behind it.
 * @param before words that the last text took here: what is behind them is 0 already
 * @returns words that it takes
 */
export function putTextKey(key: Int32Array, bytes: Uint8Array, at: number, room: number, text: unknown, before: number): number {
  let words = 0;
  if (typeof text === 'string') {
    const whole = (text.length < room ? text.length : room) >> 2;
    for (; words < whole; words++) {
      const from = words << 2;
      const first = charCodeAt(text, from);
      const second = charCodeAt(text, from + 1);
      const third = charCodeAt(text, from + 2);
      const fourth = charCodeAt(text, from + 3);
      if ((first | second | third | fourth) > 0x7f || first === 0 || second === 0 || third === 0 || fourth === 0) break;
      key[at + words] = first | (second << 8) | (third << 16) | (fourth << 24);
    }
    const done = words << 2;
    if (done < text.length && done < room) {
      const from = (at << 2) + done;
      const end = from + putText(bytes, from, room - done, text, done);
      for (let i = end; (i & 3) !== 0; i++) bytes[i] = 0;
      words = ((end + 3) >> 2) - at;
    }
  }
  for (let i = words; i < before; i++) key[at + i] = 0;
  return words;
}

/**
 * Puts a stack into a key: up to `depth` addresses, and 0 behind them.
 * @param before words that the last stack took here
 * @returns words that it takes
 */
export function putStackKey(key: Int32Array, at: number, depth: number, stack: readonly Long[], before: number): number {
  const words = 2 * (stack.length < depth ? stack.length : depth);
  for (let i = 0; i < words; i += 2) putKey(key, at + i, stack[i >> 1]!);
  for (let i = words; i < before; i++) key[at + i] = 0;
  return words;
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
  if (compareExchange(words, HEADER.SNAPSHOT_LOCK, 0, 1) !== 0) return false;
  const at = HEADER.SNAPSHOT_VALUE >> 1;
  const last = doubles[at]!;
  const isWanted = isMax ? isGreater(value, last) : asNumber(value) !== last;
  if (isWanted) {
    doubles[at] = asNumber(value);
    for (let i = 0; i < keyWords; i++) words[HEADER.SNAPSHOT_KEY + i] = words[entry + i]!;
    const comm = entry + map.commAt;
    if (map.hasComm) for (let i = 0; i < COMM_BYTES / 4; i++) words[HEADER.SNAPSHOT_COMM + i] = words[comm + i]!;
    store(words, HEADER.SNAPSHOT_SET, 1);
  }
  store(words, HEADER.SNAPSHOT_LOCK, 0);
  return isWanted;
}
