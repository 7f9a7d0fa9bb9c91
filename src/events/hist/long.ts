import {
  BigIntAsIntN as asIntN,
  BigIntAsUintN as asUintN,
  BigInt_ as bigInt,
  MathClz32 as clz32,
  MathFloor as floor,
  Number_ as numberOf,
} from '../../base/primordials.js';
import type { Long } from '../c-types.js';

/**
 * 64-bit arithmetic of hist triggers. A value is an unsigned 64-bit integer in the kernel; here it is the signed integer with the
 * same bits: a number where that is exact, else a bigint. Nothing allocates while numbers stay exact.
 */

// Taken before a program could replace them: updates run in its threads.

const TWO_32 = 4294967296;
const SAFE = 9007199254740991;

/** The value with the same 64 bits in its usual form. */
export function toLong(value: bigint): Long {
  const signed = asIntN(64, value);
  return signed >= -9007199254740991n && signed <= 9007199254740991n ? numberOf(signed) : signed;
}

/** The value of two words. */
export function ofWords(high: number, low: number): Long {
  const value = high * TWO_32 + (low >>> 0);
  if (value <= SAFE && value >= -SAFE) return value;
  return toLong((bigInt(high) << 32n) | bigInt(low >>> 0));
}

/** The value as the kernel prints it, unsigned. */
export const unsigned = (value: Long): bigint => asUintN(64, bigInt(value));

const isExact = (value: Long): value is number => typeof value === 'number' && value <= SAFE && value >= -SAFE;

export function add(a: Long, b: Long): Long {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b;
    if (isExact(sum)) return sum;
  }
  return toLong(bigInt(a) + bigInt(b));
}

export function subtract(a: Long, b: Long): Long {
  if (typeof a === 'number' && typeof b === 'number') {
    const difference = a - b;
    if (isExact(difference)) return difference;
  }
  return toLong(bigInt(a) - bigInt(b));
}

export function multiply(a: Long, b: Long): Long {
  if (typeof a === 'number' && typeof b === 'number') {
    const product = a * b;
    // No negative zero.
    if (isExact(product)) return product + 0;
  }
  return toLong(bigInt(a) * bigInt(b));
}

/** Below this the kernel divides by a constant with a multiplication, which can be one too much (HIST_DIV_SHIFT). */
const SHIFT = 2 ** 20;

/**
 * a / b, both unsigned; -1 for a division by zero. `isConstant`: the divisor is one, and the kernel then rounds in its own way.
 */
export function divide(a: Long, b: Long, isConstant = false): Long {
  if (b === 0 || b === 0n) return -1;
  if (typeof a === 'number' && typeof b === 'number' && a >= 0 && b > 0) {
    if (!isConstant || b > SHIFT || a >= SHIFT || (b & (b - 1)) === 0) return floor(a / b);
    return floor((a * floor(SHIFT / b) + SHIFT - 1) / SHIFT);
  }
  return toLong(unsigned(a) / unsigned(b));
}

/** The power of two that is not less (order_base_2). */
export function log2(value: Long): number {
  if (typeof value === 'number' && value >= 0 && value <= TWO_32) return value <= 1 ? 0 : 32 - clz32(value - 1);
  const whole = unsigned(value);
  if (whole <= 1n) return 0;
  let bits = 0;
  for (let rest = whole - 1n; rest > 0n; rest >>= 1n) bits++;
  return bits;
}

/** The multiple of `size` that is not greater; both unsigned. */
export const bucket = (value: Long, size: Long): Long => multiply(divide(value, size), size);

/** Nanoseconds as microseconds (ns2usecs), rounded. */
export const microseconds = (ns: Long): Long => divide(add(ns, 500), 1000);

/** Whether a is greater, both unsigned. */
export function isGreater(a: Long, b: Long): boolean {
  if (typeof a === 'number' && typeof b === 'number' && a >= 0 && b >= 0) return a > b;
  return unsigned(a) > unsigned(b);
}
