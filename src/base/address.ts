import { highWord, lowWord } from './words.js';

/**
 * Addresses of 64 bits. A record has one as two words. Anywhere else it is a number: the 64 bits with their sign, so that
 * 0xffffffff81000000 is -0x7f000000 and an address of user space is itself. It is exact because all text lies in the first or the
 * last 2^53 bytes; 0 is no address.
 */

const TWO_32 = 2 ** 32;

/** The address in two words. */
export const addressOf = (high: number, low: number): number => (high | 0) * TWO_32 + (low >>> 0);

/** The address in two words of a record. */
export const addressAt = (words: Uint32Array, index: number): number => addressOf(words[index + 1]!, words[index]!);

/** The address in 64 bits, signed or not. */
export const addressOfBits = (bits: number | bigint): number => Number(BigInt.asIntN(64, BigInt(bits)));

/** Order by unsigned value, as kallsyms lists symbols: below 0 if `a` comes first. */
export const compareAddresses = (a: number, b: number): number => (a < 0 === b < 0 ? a - b : b - a);

const hex8 = (word: number): string => (word >>> 0).toString(16).padStart(8, '0');

/** The 16 hexadecimal digits of two words. */
export const hexWords = (high: number, low: number): string => hex8(high) + hex8(low);

/** The 16 hexadecimal digits of an address, as kallsyms and `sym-addr` show it. */
export const hexAddress = (address: number): string => hexWords(highWord(address), lowWord(address));

/** The address in up to 16 hexadecimal digits. */
export const parseAddress = (digits: string): number =>
  addressOf(Number.parseInt(digits.slice(0, -8), 16) || 0, Number.parseInt(digits.slice(-8), 16));
