import { TraceError } from '../base/errno.js';

const BOOLEANS: Readonly<Record<string, boolean>> = {
  1: true,
  y: true,
  Y: true,
  on: true,
  0: false,
  n: false,
  N: false,
  off: false,
};

/** As kstrtobool takes it. */
export function parseBoolean(text: string): boolean {
  const value = BOOLEANS[text.trim()];
  if (value === undefined) throw new TraceError('EINVAL', 'must be 0 or 1');
  return value;
}
