import type { TopOrder } from '../../answers/top/top-answer.js';

/** What the profiler has counted of the functions of a name, on one thread or on all. */
export interface ProfileRow {
  readonly name: string;
  readonly hits: number;
  /** Microseconds. */
  readonly time: number;
}

const ROW = /^ {2}(\S+) +(\d+) +([\d.]+) us /gm;

/** Reads `trace_stat/functionN`. Functions that it calls the same become one row. */
export function profileRows(text: string): readonly ProfileRow[] {
  return added(
    Array.from(text.matchAll(ROW), ([, name, hits, time]) => ({ name: name!, hits: Number(hits), time: Number(time) })),
  );
}

/** Adds up the rows of each name. */
export function added(rows: Iterable<ProfileRow>): readonly ProfileRow[] {
  const sums = new Map<string, ProfileRow>();
  for (const { name, hits, time } of rows) {
    const sum = sums.get(name);
    sums.set(name, { name, hits: hits + (sum?.hits ?? 0), time: time + (sum?.time ?? 0) });
  }
  return [...sums.values()];
}

/** What was counted since an earlier reading; if somebody has begun to count anew, everything. */
export function rowsSince(rows: readonly ProfileRow[], earlier: readonly ProfileRow[]): readonly ProfileRow[] {
  const before = new Map(earlier.map((row) => [row.name, row]));
  const isAnew = rows.some(({ name, hits }) => hits < (before.get(name)?.hits ?? 0));
  if (isAnew) return rows;
  return rows.map(({ name, hits, time }) => {
    const { hits: hitsBefore = 0, time: timeBefore = 0 } = before.get(name) ?? {};
    return { name, hits: hits - hitsBefore, time: Math.max(0, time - timeBefore) };
  });
}

/** What rows can be sorted by: the greatest first. */
export const ORDERS = {
  calls: (row: ProfileRow) => row.hits,
  time: (row: ProfileRow) => row.time,
  self: (row: ProfileRow) => row.time,
} as const satisfies Record<TopOrder, unknown>;
export type Order = TopOrder;

/** The rows that were called or took time, in an order; equal ones by name. */
export const sorted = (rows: readonly ProfileRow[], order: Order): readonly ProfileRow[] =>
  rows
    .filter(({ hits, time }) => hits > 0 || time > 0)
    .sort((a, b) => ORDERS[order](b) - ORDERS[order](a) || (a.name < b.name ? -1 : 1));
