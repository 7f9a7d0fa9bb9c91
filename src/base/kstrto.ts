import { TraceError } from './errno.js';

/**
 * A number as kstrtoul(text, 0) reads it: decimal, hexadecimal after 0x, octal after 0; a `+` may stand before it.
 * @throws TraceError EINVAL for anything else, ERANGE beyond 64 bits
 */
export function kstrtoul(text: string): bigint {
  const [, hexadecimal, octal, decimal] = /^\+?(?:0x([\da-f]+)|0([0-7]+)|([1-9]\d*|0))$/i.exec(text) ?? [];
  const digits = hexadecimal === undefined ? (octal === undefined ? decimal : `0o${octal}`) : `0x${hexadecimal}`;
  if (digits === undefined) throw new TraceError('EINVAL', `not a number: ${text}`);
  const value = BigInt(digits);
  if (value >= 1n << 64n) throw new TraceError('ERANGE', `too large a number: ${text}`);
  return value;
}

/**
 * A number as kstrtol(text, 0) reads it: as kstrtoul does, with a `-` before it or not.
 * @throws TraceError EINVAL for anything else, ERANGE beyond 64 bits with a sign
 */
export function kstrtol(text: string): bigint {
  const isNegative = text.startsWith('-');
  const magnitude = kstrtoul(isNegative ? text.slice(1) : text);
  const value = isNegative ? -magnitude : magnitude;
  if (BigInt.asIntN(64, value) !== value) throw new TraceError('ERANGE', `too large a number: ${text}`);
  return value;
}
