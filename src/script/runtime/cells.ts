import {
  BigInt64Array_ as BigInts,
  BufferPrototypeUcs2Slice,
  Uint8Array_ as Bytes,
  StringPrototypeCharCodeAt as charCodeAt,
  Float64Array_ as Doubles,
  uncurryThis,
  Int32Array_ as Words,
} from '../../base/primordials.js';
import { highWord, lowWord } from '../../base/words.js';
import type { Long } from '../../events/c-types.js';
import { ofWords } from '../../events/hist/long.js';
import { SAFE, toLong } from './longs.js';

/** Values of scripts in shared memory. Places are counted in 32-bit words. */

const ucs2Slice = uncurryThis(BufferPrototypeUcs2Slice);

/** Shared memory as all that its values need. */
export interface SharedView {
  readonly words: Int32Array;
  readonly doubles: Float64Array;
  readonly bigs: BigInt64Array;
  readonly bytes: Uint8Array;
}

export const viewOf = (memory: SharedArrayBuffer | ArrayBuffer): SharedView => ({
  words: new Words(memory),
  doubles: new Doubles(memory),
  bigs: new BigInts(memory),
  bytes: new Bytes(memory),
});

/** A long takes a double, and 64 bits that count if the double is none. It stands at an even word. */
export const LONG_WORDS = 4;

export function readLong(view: SharedView, at: number): Long {
  const value = view.doubles[at >> 1]!;
  // Not a number: the bits count.
  return value <= SAFE ? value : toLong(view.bigs[(at >> 1) + 1]!);
}

export function writeLong(view: SharedView, at: number, value: Long): void {
  if (typeof value === 'number') {
    view.doubles[at >> 1] = value;
    return;
  }
  // A reader without a lock finds the bits when it finds that there is no double.
  view.bigs[(at >> 1) + 1] = value;
  view.doubles[at >> 1] = NaN;
}

/** Words of a text of so many units of UTF-16: its length, and two units a word. Even. */
export const textWords = (units: number): number => 2 + (((units + 3) >> 2) << 1);

/** @param at in words @returns words that were written */
export function putText(words: Int32Array | Uint32Array, at: number, text: string): number {
  const { length } = text;
  words[at] = length;
  const whole = length >> 1;
  let i = 0;
  for (; i < whole; i++) words[at + 1 + i] = charCodeAt(text, 2 * i) | (charCodeAt(text, 2 * i + 1) << 16);
  if ((length & 1) !== 0) words[at + 1 + i++] = charCodeAt(text, length - 1);
  return 1 + i;
}

export function readText(view: SharedView, at: number): string {
  const length = view.words[at]!;
  if (length === 0) return '';
  const start = (at + 1) << 2;
  return ucs2Slice(view.bytes, start, start + 2 * length);
}

/** What a `value` is, in its first word; a long where nothing was written. */
const TAG = { LONG: 0, TEXT: 1 } as const;
const VALUE_WORDS = 2;

/** Words of what is a long or a text, whichever is stored. */
export const valueWords = (units: number): number => VALUE_WORDS + LONG_WORDS + textWords(units);

export function writeValue(view: SharedView, at: number, value: Long | string): void {
  if (typeof value === 'string') {
    putText(view.words, at + VALUE_WORDS + LONG_WORDS, value);
    view.words[at] = TAG.TEXT;
    return;
  }
  writeLong(view, at + VALUE_WORDS, value);
  view.words[at] = TAG.LONG;
}

export const readValue = (view: SharedView, at: number): Long | string =>
  view.words[at] === TAG.TEXT ? readText(view, at + VALUE_WORDS + LONG_WORDS) : readLong(view, at + VALUE_WORDS);

/** The parts of keys and values. */
export type LeafKind = 'long' | 'string' | 'stack' | 'value';

/** Writes a part of a value. */
export function writeLeaf(view: SharedView, kind: LeafKind, at: number, value: Long | string): void {
  if (kind === 'value') writeValue(view, at, value);
  else if (typeof value === 'string') putText(view.words, at, value);
  else writeLong(view, at, value);
}

export function readLeaf(view: SharedView, kind: LeafKind, at: number): Long | string {
  if (kind === 'long') return readLong(view, at);
  return kind === 'value' ? readValue(view, at) : readText(view, at);
}

/** Puts a part of a key into words, in which equal keys are equal. */
export function putKey(words: Int32Array, kind: LeafKind, at: number, value: Long | string): void {
  let place = at;
  if (kind === 'value') words[place++] = typeof value === 'string' ? TAG.TEXT : TAG.LONG;
  if (typeof value === 'string') {
    putText(words, place, value);
    return;
  }
  words[place] = lowWord(value);
  words[place + 1] = highWord(value);
}

/** Words that a part of a key takes. */
export function keyLength(words: Int32Array, kind: LeafKind, at: number): number {
  if (kind === 'long') return 2;
  if (kind !== 'value') return 1 + ((words[at]! + 1) >> 1);
  return words[at] === TAG.LONG ? 3 : 2 + ((words[at + 1]! + 1) >> 1);
}

export function readKey(view: SharedView, kind: LeafKind, at: number): Long | string {
  const { words } = view;
  if (kind === 'string' || kind === 'stack') return readText(view, at);
  if (kind === 'long') return ofWords(words[at + 1]!, words[at]!);
  return words[at] === TAG.TEXT ? readText(view, at + 1) : ofWords(words[at + 2]!, words[at + 1]!);
}
