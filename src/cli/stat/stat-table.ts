import { grouped } from '../../base/grouped.js';
import type { Count } from './counted.js';

/** What the counting took, in seconds. */
export interface Times {
  readonly elapsed: number;
  /** The CPU time of the command and what it started; undefined without a command. */
  readonly cpu?: { readonly user: number; readonly system: number };
}

const COUNT_WIDTH = 18;
const NAME_WIDTH = 36;
const NOT_COUNTED = '<not counted>';

/** Prefixes of rates, the greatest first. */
const UNITS = [
  [1e9, 'G'],
  [1e6, 'M'],
  [1e3, 'K'],
  [0, ''],
] as const;

/** `#  411.200 /sec`, `#    1.234 K/sec` */
function rateText(count: number, seconds: number): string {
  const rate = seconds > 0 ? count / seconds : 0;
  const [unit, prefix] = UNITS.find(([least]) => rate >= least)!;
  return `# ${(rate / (unit || 1)).toFixed(3).padStart(8)} ${prefix}/sec`;
}

/** Count, name and rate. */
function row({ name, count }: Count, seconds: number): string {
  const number = (count === undefined ? NOT_COUNTED : grouped(count)).padStart(COUNT_WIDTH);
  return count === undefined ? `${number}      ${name}` : `${number}      ${name.padEnd(NAME_WIDTH)} ${rateText(count, seconds)}`;
}

/**
 * The table at the end, as `perf stat` prints it.
 * @param of the command, or the process
 */
export function statTable(of: string, counts: readonly Count[], { elapsed, cpu }: Times): string {
  const rows = counts.map((count) => `${row(count, elapsed)}\n`).join('');
  const cpuRows = cpu === undefined ? '' : `\n${seconds(cpu.user, 2)} seconds user\n${seconds(cpu.system, 2)} seconds sys\n`;
  return `\n Counts of ${of}:\n\n${rows}\n${seconds(elapsed, 3)} seconds time elapsed\n${cpuRows}\n`;
}

const seconds = (time: number, digits: number): string => time.toFixed(digits).padStart(COUNT_WIDTH);

/** The line above those of the intervals. */
export const INTERVAL_HEADER = `#${'time'.padStart(15)} ${'counts'.padStart(COUNT_WIDTH)}      events\n`;

/**
 * The lines of one interval, as `perf stat -I` prints them.
 * @param time seconds since the beginning
 * @param length seconds of this interval
 */
export const intervalLines = (time: number, length: number, counts: readonly Count[]): string =>
  counts
    .filter(({ count }) => count !== undefined)
    .map((count) => `${time.toFixed(9).padStart(16)} ${row(count, length)}\n`)
    .join('');
