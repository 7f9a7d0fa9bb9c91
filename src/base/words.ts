import { BigIntAsIntN as asIntN, MathFloor as floor, Number_ as numberOf } from './primordials.js';

/**
 * The two words of a value of 64 bits: a number that is exact, or a bigint. Both words are signed; an array of words keeps their
 * bits.
 */

// Taken before a program could replace them: records are written in its threads.

const TWO_32 = 4294967296;

/** The low 32 bits. */
export const lowWord = (value: number | bigint): number => (typeof value === 'number' ? value | 0 : numberOf(asIntN(32, value)));

/** The high 32 bits. */
export const highWord = (value: number | bigint): number =>
  typeof value === 'number' ? floor(value / TWO_32) | 0 : numberOf(asIntN(32, value >> 32n));
