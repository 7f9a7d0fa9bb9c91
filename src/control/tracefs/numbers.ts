import { TraceError } from '../../base/errno.js';
import { userText } from './user-text.js';

/** How many characters of a number are read (kstrtoul_from_user); the rest is ignored. */
const NUMBER_SIZE = 66;

/** A number as kstrtoul(10) takes it: digits, an optional `+` before and one newline after. EINVAL, or ERANGE when too large. */
export function parseUnsignedLong(text: string): bigint {
  const digits = /^\+?(\d+)\n?$/.exec(userText(text, NUMBER_SIZE))?.[1];
  if (digits === undefined) throw new TraceError('EINVAL', `not a number: ${text.trim()}`);
  const value = BigInt(digits);
  if (value >= 1n << 64n) throw new TraceError('ERANGE');
  return value;
}

/** An unsigned number, if numbers beyond 2^53 need not be exact. */
export const parseUnsigned = (text: string): number => Number(parseUnsignedLong(text));

/** A number with a sign. */
export const parseSigned = (text: string): number => (text.startsWith('-') ? -parseUnsigned(text.slice(1)) : parseUnsigned(text));

/** A number that must be 0 or 1. */
export function parseSwitch(text: string): boolean {
  const value = parseUnsigned(text);
  if (value > 1) throw new TraceError('EINVAL', 'must be 0 or 1');
  return value === 1;
}
