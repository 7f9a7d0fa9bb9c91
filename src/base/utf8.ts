import { StringPrototypeCharCodeAt as charCodeAt } from './primordials.js';

/** UTF-8 of JavaScript's texts, a character at a time, without an allocation. */

/** How many bytes of UTF-8 the units of a text before unit `end` have. */
export const bytesBefore = (text: string, end: number): number => Buffer.byteLength(text.slice(0, end));

/** Bytes of a character. */
export const charBytes = (code: number): number => (code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4);

/** UTF-16 units of a character. */
export const charUnits = (code: number): number => (code < 0x10000 ? 1 : 2);

/** What stands for half of a pair of units. */
const NO_CHARACTER = 0xfffd;

/** The character that begins at unit `i` of a text that is read up to unit `end`. */
export function characterAt(text: string, i: number, end = text.length): number {
  const unit = charCodeAt(text, i);
  if ((unit & 0xf800) !== 0xd800) return unit;
  const low = unit < 0xdc00 && i + 1 < end ? charCodeAt(text, i + 1) : 0;
  return (low & 0xfc00) === 0xdc00 ? 0x10000 + ((unit & 0x3ff) << 10) + (low & 0x3ff) : NO_CHARACTER;
}

/** Stores a character. @returns the byte after it */
export function putCharacter(bytes: Uint8Array, at: number, code: number): number {
  if (code < 0x80) {
    bytes[at] = code;
    return at + 1;
  }
  if (code < 0x800) bytes[at++] = 0xc0 | (code >> 6);
  else {
    if (code < 0x10000) bytes[at++] = 0xe0 | (code >> 12);
    else {
      bytes[at++] = 0xf0 | (code >> 18);
      bytes[at++] = 0x80 | ((code >> 12) & 0x3f);
    }
    bytes[at++] = 0x80 | ((code >> 6) & 0x3f);
  }
  bytes[at] = 0x80 | (code & 0x3f);
  return at + 1;
}
