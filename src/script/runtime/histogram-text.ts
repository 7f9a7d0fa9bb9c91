import {
  MathFloor as floor,
  StringPrototypePadEnd as padEnd,
  StringPrototypePadStart as padStart,
} from '../../base/primordials.js';
import type { HistogramShape } from '../program.js';
import { LOG_ZERO } from './buckets.js';
import { decimal } from './decimal.js';

/** Histograms as SystemTap and bpftrace print them. */

/** Signs of the longest bar. */
const STAP_BAR = 50;
/** So many empty rows before and behind what is not empty are printed. */
const STAP_MARGIN = 2;

const repeated = (sign: string, count: number): string => padEnd('', count, sign);

/** The least value of a bucket. */
function lowerBound(shape: HistogramShape, bucket: number, last: number): bigint {
  if (shape.kind !== 'linear') {
    if (bucket === LOG_ZERO) return 0n;
    return bucket < LOG_ZERO ? -(1n << BigInt(63 - bucket)) : 1n << BigInt(bucket - LOG_ZERO - 1);
  }
  const steps = bucket === 0 ? 0 : bucket === last ? bucket - 2 : bucket - 1;
  return BigInt(shape.from + steps * shape.step);
}

/** The first and last row; of a logarithmic one the empty rows before 0 only if there are negative values. */
function rowsOf(shape: HistogramShape, counts: readonly number[]): { low: number; high: number } {
  const last = counts.length - 1;
  let low = 0;
  while (low < last && counts[low] === 0) low++;
  let high = last;
  while (high > 0 && counts[high] === 0) high--;
  for (let i = 0; i < STAP_MARGIN; i++) {
    if (low > 0 && !(shape.kind !== 'linear' && low === LOG_ZERO)) low--;
    if (high < last) high++;
  }
  if (shape.kind === 'linear') {
    if (low === 0 && counts[0] === 0) low++;
    if (high === last && counts[last] === 0) high--;
  }
  return { low, high };
}

/** The text that `print(@hist_log(x))` prints, with the empty line behind it. */
export function stapHistogram(shape: HistogramShape, counts: readonly number[]): string {
  const last = counts.length - 1;
  const { low, high } = rowsOf(shape, counts);
  let most = 0;
  for (let i = 0; i <= last; i++) if (counts[i]! > most) most = counts[i]!;
  const scale = most <= STAP_BAR ? 1 : floor((most + STAP_BAR - 1) / STAP_BAR);
  const label = (bucket: number): string => {
    const prefix = shape.kind !== 'linear' ? '' : bucket === 0 ? '<' : bucket === last ? '>' : '';
    return prefix + decimal(lowerBound(shape, bucket, last));
  };
  // Of a linear one the width is that of the end of the highest row.
  const widest =
    shape.kind === 'linear'
      ? [
          decimal(shape.from).length + (low === 0 ? 1 : 0),
          decimal(shape.from + shape.step * high).length + (high === last ? 1 : 0),
        ]
      : [label(low).length, label(high).length];
  const width = Math.max(widest[0]!, widest[1]!, 5);
  const countWidth = decimal(most).length;
  let text = `${padStart('value', width)} |${repeated('-', STAP_BAR)} count\n`;
  let isEliding = false;
  for (let bucket = low; bucket <= high; bucket++) {
    if (isEmptyAround(counts, bucket, low, high)) {
      isEliding = true;
      continue;
    }
    if (isEliding) text += `${repeated(' ', width)} ~\n`;
    isEliding = false;
    const bar = floor(counts[bucket]! / scale);
    text += `${padStart(label(bucket), width)} |${repeated('@', bar)}${padStart(decimal(counts[bucket]!), STAP_BAR - bar + 1 + countWidth)}\n`;
  }
  return `${text}\n`;
}

function isEmptyAround(counts: readonly number[], bucket: number, low: number, high: number): boolean {
  for (let i = bucket - STAP_MARGIN; i <= bucket + STAP_MARGIN; i++) {
    if (i >= low && i <= high && counts[i] !== 0) return false;
  }
  return true;
}

const BPF_BAR = 52;

const KILO = 1024;
const SUFFIXES = ['', 'K', 'M', 'G', 'T', 'P', 'E'];

/** 2 ** bits, shortened. */
const powerLabel = (bits: number): string => `${2 ** (bits % 10)}${SUFFIXES[floor(bits / 10)]}`;

/** A bound of a linear histogram, shortened where it is a whole number of kilos or megas. */
function boundLabel(value: number): string {
  if (value !== 0 && value % (KILO * KILO) === 0) return `${decimal(value / (KILO * KILO))}M`;
  if (value !== 0 && value % KILO === 0) return `${decimal(value / KILO)}K`;
  return decimal(value);
}

function bpftraceLabel(shape: HistogramShape, bucket: number, last: number): string {
  if (shape.kind !== 'linear') {
    if (bucket === 0) return '(..., 0)';
    if (bucket <= 2) return `[${bucket - 1}]`;
    return `[${powerLabel(bucket - 2)}, ${powerLabel(bucket - 1)})`;
  }
  const { from, to, step } = shape;
  if (bucket === 0) return `(..., ${boundLabel(from)})`;
  if (bucket === last) return `[${boundLabel(to)}, ...)`;
  return `[${boundLabel(from + (bucket - 1) * step)}, ${boundLabel(from + bucket * step)})`;
}

/** The rows of `hist()` or `lhist()`; counts and totals are divided by `div`. */
export function bpftraceHistogram(shape: HistogramShape, counts: readonly number[], div = 1): string {
  const last = counts.length - 1;
  let first = -1;
  let end = -1;
  let most = 0;
  for (let i = 0; i <= last; i++) {
    if (counts[i]! === 0) continue;
    if (first < 0) first = i;
    end = i;
    if (counts[i]! > most) most = counts[i]!;
  }
  if (first < 0) return '';
  let text = '';
  for (let bucket = first; bucket <= end; bucket++) {
    const bar = floor((counts[bucket]! * BPF_BAR) / most);
    const count = decimal(floor(counts[bucket]! / div));
    text += `${padEnd(bpftraceLabel(shape, bucket, last), 16)}${padStart(count, 8)} |${padEnd(repeated('@', bar), BPF_BAR)}|\n`;
  }
  return text;
}
