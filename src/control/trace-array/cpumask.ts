import { TraceError } from '../../base/errno.js';

/** Cpus as bits; undefined: all, including those that come later. */
export type Cpumask = bigint | undefined;

const GROUP_BITS = 32;
const GROUP_DIGITS = GROUP_BITS / 4;

/**
 * The cpus that a text names in hexadecimal groups of 32 bits, the lowest last, with commas or white space between them
 * (bitmap_parse).
 * @param cpus the number of cpus
 * @throws TraceError EINVAL for what is not a digit, EOVERFLOW for cpus that do not exist; the first error from the end
 *   counts
 */
export function parseCpumask(text: string, cpus: number): bigint {
  const groups = text.split('\n')[0]!.split(/[\s,]+/);
  let mask = 0n;
  let bits = 0;
  for (const group of groups.filter((one) => one !== '').reverse()) {
    if (bits >= cpus) throw new TraceError('EOVERFLOW', `there are ${cpus} cpus`);
    mask |= BigInt(parseGroup(group)) << BigInt(bits);
    bits += GROUP_BITS;
  }
  if (mask >> BigInt(cpus) !== 0n) throw new TraceError('EOVERFLOW', `there are ${cpus} cpus`);
  return mask;
}

function parseGroup(group: string): number {
  if (!/^[\da-f]*$/i.test(group)) throw new TraceError('EINVAL', `${group} is not hexadecimal`);
  if (group.length > GROUP_DIGITS) throw new TraceError('EOVERFLOW', `${group} has more than ${GROUP_BITS} bits`);
  return Number.parseInt(group, 16);
}

/** A mask as `%*pb` prints it: as many digits as the cpus need, a comma between every eight. */
export function cpumaskText(mask: Cpumask, cpus: number): string {
  const shown = mask ?? (1n << BigInt(cpus)) - 1n;
  const digits = shown.toString(16).padStart(Math.ceil(cpus / 4), '0');
  return digits.replace(new RegExp(`\\B(?=(.{${GROUP_DIGITS}})+$)`, 'g'), ',');
}

/** Whether a mask leaves a cpu out. */
export const isMasked = (mask: Cpumask, cpu: number): boolean => mask !== undefined && ((mask >> BigInt(cpu)) & 1n) === 0n;
