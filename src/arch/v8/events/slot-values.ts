import { types } from 'node:util';
import type { Long } from '../../../events/c-types.js';
import { charCodeAt, slice } from '../realm/primordials.js';
import { renderValue } from '../tracers/render.js';
import { MAX_VALUE_BYTES, ValueText } from '../tracers/value-text.js';

/**
 * What code that is generated for an event calls for values that are not what the field's type says. None of these runs the
 * program's code or throws.
 */

// Taken before the program could replace them.
const { asIntN, asUintN } = BigInt;
const { BigInt: bigInt } = globalThis;
const { isArray } = Array;
const { floor, trunc } = Math;
const { isView } = ArrayBuffer;
const { isProxy } = types;
const stringOf = String;

const SAFE = 2 ** 53;
const TWO_63 = 2 ** 63;
const TWO_64 = 2 ** 64;

/** The integer of 32 bits that a value is: 0 for what is no number. */
export function intOf(value: unknown): number {
  if (typeof value === 'number') return value | 0;
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'bigint' ? Number(asIntN(32, value)) : 0;
}

function wideOf(value: unknown): Long {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value !== 'number' || !(value > -TWO_63 && value < TWO_64)) return 0;
  return trunc(value);
}

/** As a number where that is exact. */
const short = (value: bigint): Long => (value < SAFE && value > -SAFE ? Number(value) : value);

/** The signed integer of 64 bits that a value is. */
export function s64Of(value: unknown): Long {
  const wide = wideOf(value);
  return typeof wide === 'number' && wide < SAFE && wide > -SAFE ? wide : short(asIntN(64, bigInt(wide)));
}

/** The unsigned integer of 64 bits that a value is. */
export function u64Of(value: unknown): Long {
  const wide = wideOf(value);
  return typeof wide === 'number' && wide >= 0 && wide < SAFE ? wide : short(asUintN(64, bigInt(wide)));
}

const rendered = new ValueText();
const renderedBytes = new Uint8Array(MAX_VALUE_BYTES);

/** What a text field shows of a value that is no text. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '(null)';
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return stringOf(value);
  try {
    rendered.start(renderedBytes, 0);
    renderValue(rendered, value);
    let text = '';
    for (let i = 0; i < rendered.end; i++) text += stringOf.fromCharCode(renderedBytes[i]!);
    return decodeUtf8(text);
  } catch {
    return '?';
  }
}

/** UTF-8, one unit for each byte, as text. */
const decodeUtf8 = (bytes: string): string => Buffer.from(bytes, 'latin1').toString('utf8');

const NONE: readonly Long[] = [];

/** At most `most` elements of an array of integers, of 64 bits or less; none for what is no array. */
export function elementsOf(value: unknown, most: number, signed: boolean): readonly Long[] {
  // A Proxy would run its traps, and a revoked one throws.
  if (isProxy(value) || !(isArray(value) || isView(value))) return NONE;
  try {
    const { length } = value as ArrayLike<unknown>;
    const count = length < most ? length : most;
    const elements: Long[] = [];
    for (let i = 0; i < count; i++) {
      const element = (value as ArrayLike<unknown>)[i];
      elements[i] = signed ? s64Of(element) : u64Of(element);
    }
    return elements;
  } catch {
    // An element's getter threw.
    return NONE;
  }
}

/**
 * What is dynamic in a record is put together here first: its size must be known before there is room for it, and looking at each
 * character twice took half as long again (npm run bench events).
 */
export const scratch = new Uint8Array(4096);
export const scratchWords = new Uint32Array(scratch.buffer);

const isLow = (text: string, i: number): boolean => {
  const code = i < text.length ? charCodeAt(text, i) : 0;
  return code >= 0xdc00 && code < 0xe000;
};

/**
 * Stores a text as UTF-8, and a zero byte; at most `room` bytes, cut where a character ends.
 * @returns the byte after it
 */
export function putText(bytes: Uint8Array, at: number, text: string, room: number): number {
  const end = at + room - 1;
  const { length } = text;
  const stop = length < room ? length : room - 1;
  let i = 0;
  for (; i < stop; i++) {
    const code = charCodeAt(text, i);
    if (code >= 0x80) break;
    bytes[at + i] = code;
  }
  at += i;
  if (i < stop) at = putWide(bytes, at, text, i, end);
  bytes[at] = 0;
  return at + 1;
}

/** The same from unit `i` on, up to byte `end`, without the zero byte. */
function putWide(bytes: Uint8Array, at: number, text: string, i: number, end: number): number {
  while (i < text.length) {
    const code = charCodeAt(text, i++);
    const isPair = code >= 0xd800 && code < 0xdc00 && isLow(text, i);
    const size = code < 0x80 ? 1 : code < 0x800 ? 2 : isPair ? 4 : 3;
    if (at + size > end) break;
    if (size === 1) bytes[at++] = code;
    else if (size === 2) bytes[at++] = 0xc0 | (code >> 6);
    else if (isPair) {
      const point = 0x10000 + ((code - 0xd800) << 10) + (charCodeAt(text, i++) - 0xdc00);
      bytes[at++] = 0xf0 | (point >> 18);
      bytes[at++] = 0x80 | ((point >> 12) & 0x3f);
      bytes[at++] = 0x80 | ((point >> 6) & 0x3f);
      bytes[at++] = 0x80 | (point & 0x3f);
    } else {
      // A half of a pair alone is no character.
      const shown = code >= 0xd800 && code < 0xe000 ? 0xfffd : code;
      bytes[at++] = 0xe0 | (shown >> 12);
      bytes[at++] = 0x80 | ((shown >> 6) & 0x3f);
      bytes[at++] = 0x80 | (shown & 0x3f);
    }
    if (size === 2) bytes[at++] = 0x80 | (code & 0x3f);
  }
  return at;
}

/** Bytes of the characters that fit into `most`. */
function utf8Bytes(text: string, most: number): number {
  let bytes = 0;
  for (let i = 0; i < text.length; i++) {
    const code = charCodeAt(text, i);
    const isPair = code >= 0xd800 && code < 0xdc00 && isLow(text, i + 1);
    const size = code < 0x80 ? 1 : code < 0x800 ? 2 : isPair ? 4 : 3;
    if (bytes + size > most) break;
    bytes += size;
    if (isPair) i++;
  }
  return bytes;
}

/** Puts zeros behind what is in `scratch`: a record ends at most so many bytes later. */
export function padScratch(to: number): void {
  let at = to;
  while ((at & 3) !== 0) scratch[at++] = 0;
  const word = at >> 2;
  scratchWords[word] = scratchWords[word + 1] = scratchWords[word + 2] = 0;
}

/** Stores a text into an array of `size` bytes, with zeros behind it. */
export function putFixedText(bytes: Uint8Array, at: number, text: string, size: number): void {
  const end = at + size;
  for (let i = putText(bytes, at, text, size); i < end; i++) bytes[i] = 0;
}

/** The text that a field of `size` bytes holds of a text. */
export function cutText(text: string, size: number): string {
  if (text.length * 3 < size) return text;
  const most = size - 1;
  if (utf8Bytes(text, most + 1) <= most) return text;
  let end = 0;
  for (let bytes = 0; end < text.length; end++) {
    const code = charCodeAt(text, end);
    const isPair = code >= 0xd800 && code < 0xdc00 && isLow(text, end + 1);
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : isPair ? 4 : 3;
    if (bytes > most) break;
    if (isPair) end++;
  }
  return slice(text, 0, end);
}

/** Stores the low `size` bytes of an integer. */
export function putNumber(bytes: Uint8Array, at: number, value: Long, size: number): void {
  if (typeof value === 'bigint') {
    let rest = asUintN(64, value);
    for (let i = 0; i < size; i++) {
      bytes[at + i] = Number(rest & 0xffn);
      rest >>= 8n;
    }
    return;
  }
  let rest = value;
  for (let i = 0; i < size; i++) {
    // A Uint8Array keeps the low byte.
    bytes[at + i] = rest;
    rest = floor(rest / 256);
  }
}

/** Stores integers of `size` bytes one behind the other. @returns the byte after them */
export function putElements(bytes: Uint8Array, at: number, elements: readonly Long[], size: number): number {
  for (let i = 0; i < elements.length; i++) putNumber(bytes, at + i * size, elements[i]!, size);
  return at + elements.length * size;
}

/** Stores an array of `count` elements, zeros where there are fewer. */
export function putFixedElements(bytes: Uint8Array, at: number, elements: readonly Long[], size: number, count: number): void {
  const end = at + size * count;
  for (let i = putElements(bytes, at, elements, size); i < end; i++) bytes[i] = 0;
}

/** The high word of a number, for a Uint32Array: it keeps the low 32 bits of what it is given. */
export const highWord = (value: Long): number =>
  typeof value === 'number' ? floor(value * 2 ** -32) : Number(asUintN(64, value) >> 32n);
/** The low word of a number. */
export const lowWord = (value: Long): number => (typeof value === 'number' ? value : Number(asUintN(32, value)));
