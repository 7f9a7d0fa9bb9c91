import { DurationHistogram } from '../base/duration-histogram.js';
import type { CallRow } from './call-row.js';
import { CALL_FLAGS } from './columns-format.js';
import type { TimeRange } from './stacks.js';
import type { CallAddress, TimelineRecording } from './timeline-recording.js';

/** What the calls of a function sum up to. Times are ns. */
export interface FunctionRow {
  readonly func: number;
  /** Calls that are over; a coroutine counts once, when it returns. */
  readonly calls: number;
  /** From call to return, with the waits of coroutines; recursion counts once. */
  readonly total: number;
  readonly self: number;
  readonly average: number;
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly max: number;
}

/** The columns by which functions are sorted, the largest first; names by the alphabet. */
export const TABLE_ORDERS = ['total', 'self', 'calls', 'average', 'p50', 'p90', 'p99', 'max', 'name'] as const;
export type TableOrder = (typeof TABLE_ORDERS)[number];

/** A bucket of durations: from `from` to less than `to`, ns. */
export interface DurationBucket {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

class Sum {
  calls = 0;
  total = 0;
  self = 0;
  timed = 0;
  max = 0;
  readonly times = new DurationHistogram();
}

/**
 * Sums up the calls of each function that have ended in a range of time, as `fentry report --profile` does of a whole recording.
 */
export function functionTable({ tracks, end }: TimelineRecording, { from, to }: TimeRange): readonly FunctionRow[] {
  const sums: Sum[] = [];
  for (const { rows } of tracks) {
    for (const row of rows) {
      const [first, behind] = row.between(from, to);
      for (let at = first; at < behind; at++) {
        const flags = row.flags[at]!;
        if ((flags & CALL_FLAGS.unfinished) !== 0 || row.end(at) > to) continue;
        const sum = (sums[row.functions[at]!] ??= new Sum());
        sum.self += row.self(at);
        if ((flags & CALL_FLAGS.suspended) !== 0) continue;
        const time = row.callTime(at);
        sum.calls++;
        sum.times.add(time);
        sum.timed += time;
        if (time > sum.max) sum.max = time;
        if ((flags & CALL_FLAGS.inner) === 0) sum.total += time;
      }
    }
  }
  for (const [func, count] of end?.hits ?? []) (sums[func] ??= new Sum()).calls += count;
  return sums.flatMap((sum, func) => (sum === undefined ? [] : [rowOf(func, sum)]));
}

const rowOf = (func: number, { calls, total, self, timed, max, times }: Sum): FunctionRow => ({
  func,
  calls,
  total,
  self,
  average: times.count === 0 ? 0 : timed / times.count,
  p50: times.quantile(0.5),
  p90: times.quantile(0.9),
  p99: times.quantile(0.99),
  max,
});

/** Sorts rows of the table. */
export function sortTable(
  rows: readonly FunctionRow[],
  order: TableOrder,
  nameOf: (func: number) => string,
): readonly FunctionRow[] {
  if (order !== 'name') return [...rows].sort((a, b) => b[order] - a[order]);
  return [...rows].sort((a, b) => (nameOf(a.func) < nameOf(b.func) ? -1 : 1));
}

/** The calls of a function by their durations, in buckets that each end at `factor` times their beginning. */
export function durationBuckets(
  recording: TimelineRecording,
  func: number,
  range: TimeRange,
  factor = 2,
): readonly DurationBucket[] {
  const counts = new Map<number, number>();
  eachCall(recording, func, range, (row, at) => {
    const time = row.callTime(at);
    const bucket = time < 1 ? 0 : Math.floor(Math.log(time) / Math.log(factor) + 1e-9);
    counts.set(bucket, (counts.get(bucket) ?? 0) + 1);
  });
  if (counts.size === 0) return [];
  const numbers = [...counts.keys()];
  const first = Math.min(...numbers);
  return Array.from({ length: Math.max(...numbers) - first + 1 }, (_, i) => ({
    from: factor ** (first + i),
    to: factor ** (first + i + 1),
    count: counts.get(first + i) ?? 0,
  }));
}

/** A bucket of the durations of two recordings. */
export interface PairedBucket {
  readonly from: number;
  readonly before: number;
  readonly after: number;
}

/** Two histograms of the same factor as one, with all buckets from the first of either to the last. */
export function pairBuckets(before: readonly DurationBucket[], after: readonly DurationBucket[]): readonly PairedBucket[] {
  const all = [...before, ...after].sort((a, b) => a.from - b.from);
  const [first, last] = [all[0], all.at(-1)];
  if (first === undefined || last === undefined) return [];
  const factor = first.to / first.from;
  const count = Math.round(Math.log(last.from / first.from) / Math.log(factor)) + 1;
  const countOf = (buckets: readonly DurationBucket[], from: number): number =>
    buckets.find((one) => one.from < from * Math.sqrt(factor) && one.to > from * Math.sqrt(factor))?.count ?? 0;
  return Array.from({ length: count }, (_, i) => {
    const from = first.from * factor ** i;
    return { from, before: countOf(before, from), after: countOf(after, from) };
  });
}

/** The calls of a function that took longest, those first. */
export function longestCalls(recording: TimelineRecording, func: number, range: TimeRange, most: number): readonly CallAddress[] {
  let longest: { readonly place: CallAddress; readonly time: number }[] = [];
  let least = -1;
  eachCall(recording, func, range, (row, at, track) => {
    const time = row.callTime(at);
    if (time <= least) return;
    longest.push({ place: { track, depth: row.depth, index: at }, time });
    if (longest.length < 2 * most) return;
    longest = longest.sort((a, b) => b.time - a.time).slice(0, most);
    least = longest.at(-1)!.time;
  });
  return longest
    .sort((a, b) => b.time - a.time)
    .slice(0, most)
    .map(({ place }) => place);
}

/** Each call of a function that has ended in a range. */
function eachCall(
  { tracks }: TimelineRecording,
  func: number,
  { from, to }: TimeRange,
  take: (row: CallRow, at: number, track: number) => void,
): void {
  for (const { rows, index } of tracks) {
    for (const row of rows) {
      const [first, end] = row.between(from, to);
      for (let at = first; at < end; at++) {
        if (row.functions[at] !== func || row.end(at) > to) continue;
        if ((row.flags[at]! & (CALL_FLAGS.suspended | CALL_FLAGS.unfinished)) === 0) take(row, at, index);
      }
    }
  }
}
