import { TraceError } from './errno.js';
import { kstrtoul } from './kstrtoul.js';

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
