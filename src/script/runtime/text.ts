import {
  StringPrototypeCharCodeAt as charCodeAt,
  MathImul as imul,
  StringPrototypeIndexOf as indexOf,
  StringPrototypeSlice as slice,
} from '../../base/primordials.js';
import { characterAt, charBytes, charUnits } from '../../base/utf8.js';

/** Texts of scripts: JavaScript's, without a zero character, as long as their bytes of UTF-8 find room. */

/** The part of a text before its first zero character. */
export function untilZero(text: string): string {
  const end = indexOf(text, '\0');
  return end < 0 ? text : slice(text, 0, end);
}

/**
 * The hash of a text that is stored as it is in `room` bytes: it has no zero character, and one byte for each; 0 of any other. Of
 * a text that the program has just put together V8 knows no hash: a Map would compute it, behind a call ("fresh text" of
 * bench/scripts.mjs: 3.5 reads of the clock by the Map, 2.4 so).
 */
export function plainHash(text: string, room: number): number {
  const { length } = text;
  // The search also makes one piece of what was joined, in half the time of a first charCodeAt.
  if (length > room || indexOf(text, '\0') >= 0) return 0;
  let hash = length;
  let all = 0;
  for (let i = 0; i < length; i++) {
    const code = charCodeAt(text, i);
    all |= code;
    hash = imul(hash ^ code, 0x9e3779b1);
  }
  if (all > 0x7f) return 0;
  return hash ^ (hash >>> 15) || 1;
}

/** Cuts a text to the most whole characters from its start that have at most `room` bytes of UTF-8. */
export function cut(text: string, room: number): string {
  const { length } = text;
  if (length * 3 <= room || (length <= room && isAscii(text))) return text;
  let bytes = 0;
  for (let i = 0; i < length; ) {
    const code = characterAt(text, i);
    bytes += charBytes(code);
    if (bytes > room) return slice(text, 0, i);
    i += charUnits(code);
  }
  return text;
}

/** Bytes of UTF-8. */
export function byteLength(text: string): number {
  let bytes = 0;
  for (let i = 0; i < text.length; ) {
    const code = characterAt(text, i);
    bytes += charBytes(code);
    i += charUnits(code);
  }
  return bytes;
}

/** Whether all characters of a text have one byte of UTF-8, so that places in it are places in its bytes. */
export function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (charCodeAt(text, i) > 0x7f) return false;
  return true;
}

/** A text's order among others: as C compares bytes of UTF-8. */
export function compareTexts(a: string, b: string): number {
  const length = a.length < b.length ? a.length : b.length;
  let i = 0;
  while (i < length && charCodeAt(a, i) === charCodeAt(b, i)) i++;
  if (i === length) return a.length - b.length;
  // The second half of a pair is not compared alone.
  if (i > 0 && (charCodeAt(a, i) & 0xfc00) === 0xdc00 && (charCodeAt(b, i) & 0xfc00) === 0xdc00) i--;
  return characterAt(a, i) - characterAt(b, i);
}
