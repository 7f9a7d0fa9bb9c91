import {
  BigIntAsUintN as asUintN,
  BigInt_ as bigInt,
  MathClz32 as clz32,
  MathFloor as floor,
  MathTrunc as trunc,
} from '../../base/primordials.js';
import { highWord, lowWord } from '../../base/words.js';
import type { Long } from '../../events/c-types.js';
import { ofWords, subtract, toLong, unsigned } from '../../events/hist/long.js';

/**
 * Integers of 64 bits as both languages have them: signed, they wrap. A number where that is exact, else a bigint, so `===` is
 * equality, and JavaScript's `<` is right for both.
 */
export { add, multiply, subtract, toLong, unsigned } from '../../events/hist/long.js';

/** Numbers beyond this are not exact. */
export const SAFE = 9007199254740991;

/** 2 ** n, n from 0 to 63. */
const POWERS: readonly number[] = Array.from({ length: 64 }, (_, n) => 2 ** n);

/** a / b, cut towards 0; b is not 0. */
export function divide(a: Long, b: Long): Long {
  // No negative zero.
  if (typeof a === 'number' && typeof b === 'number') return trunc(a / b) + 0;
  return toLong(bigInt(a) / bigInt(b));
}

/** What is left of a / b, with the sign of a; b is not 0. */
export function modulo(a: Long, b: Long): Long {
  if (typeof a === 'number' && typeof b === 'number') return (a % b) + 0;
  return toLong(bigInt(a) % bigInt(b));
}

/** Divides unsigned integers, as `divide` does signed ones. */
export function divideUnsigned(a: Long, b: Long): Long {
  if (typeof a === 'number' && typeof b === 'number' && a >= 0 && b >= 0) return floor(a / b);
  return toLong(unsigned(a) / unsigned(b));
}

export function moduloUnsigned(a: Long, b: Long): Long {
  if (typeof a === 'number' && typeof b === 'number' && a >= 0 && b >= 0) return a % b;
  return toLong(unsigned(a) % unsigned(b));
}

export const negate = (a: Long): Long => subtract(0, a);
export const not = (a: Long): Long => subtract(-1, a);

/** What a shift count is: its low six bits. */
const places = (count: Long): number => lowWord(count) & 63;

export function shiftLeft(a: Long, count: Long): Long {
  const n = places(count);
  if (typeof a === 'number') {
    const shifted = a * POWERS[n]!;
    if (shifted <= SAFE && shifted >= -SAFE) return shifted;
  }
  return toLong(bigInt(a) << bigInt(n));
}

/** The sign stays. */
export function shiftRight(a: Long, count: Long): Long {
  const n = places(count);
  return typeof a === 'number' ? floor(a / POWERS[n]!) : toLong(a >> bigInt(n));
}

/** Zeros come in. */
export function shiftRightUnsigned(a: Long, count: Long): Long {
  const n = places(count);
  if (typeof a === 'number' && a >= 0) return floor(a / POWERS[n]!);
  return toLong(asUintN(64, bigInt(a)) >> bigInt(n));
}

const isWord = (a: Long): a is number => typeof a === 'number' && (a | 0) === a;

export function and(a: Long, b: Long): Long {
  if (isWord(a) && isWord(b)) return a & b;
  return ofWords(highWord(a) & highWord(b), lowWord(a) & lowWord(b));
}

export function or(a: Long, b: Long): Long {
  if (isWord(a) && isWord(b)) return a | b;
  return ofWords(highWord(a) | highWord(b), lowWord(a) | lowWord(b));
}

export function xor(a: Long, b: Long): Long {
  if (isWord(a) && isWord(b)) return a ^ b;
  return ofWords(highWord(a) ^ highWord(b), lowWord(a) ^ lowWord(b));
}

/** Whether a is less, both unsigned. */
export function isBelow(a: Long, b: Long): boolean {
  if (typeof a === 'number' && typeof b === 'number' && a >= 0 && b >= 0) return a < b;
  return unsigned(a) < unsigned(b);
}

/** Bits up to the highest that is set; of an integer that is not negative. */
export function bitLength(a: Long): number {
  const high = highWord(a);
  return high !== 0 ? 64 - clz32(high) : 32 - clz32(lowWord(a));
}
