import { TraceError } from '../../base/errno.js';

/** By the first letter, and behind an o by the second. */
const BOOLEANS: Readonly<Record<string, boolean>> = {
  1: true,
  y: true,
  t: true,
  on: true,
  0: false,
  n: false,
  f: false,
  of: false,
};

/**
 * A word as kstrtobool takes it: `yes` and `10` are true, `no` and `oFf` false, whatever stands behind.
 * @throws TraceError EINVAL for any other word, and for a blank before it
 */
export function parseBoolean(text: string): boolean {
  const word = text.slice(0, 2).toLowerCase();
  const value = BOOLEANS[word.startsWith('o') ? word : word.slice(0, 1)];
  if (value === undefined) throw new TraceError('EINVAL', 'must be 0 or 1');
  return value;
}
