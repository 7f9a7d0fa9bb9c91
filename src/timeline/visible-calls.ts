import { lastAtOrBefore } from '../base/last-at-or-before.js';
import type { CallRow } from './call-row.js';

/** What is drawn of a row: one call, or several that are shorter than a pixel and share one. */
export interface VisibleCalls {
  /** Pixels from the left. */
  readonly x: Int32Array;
  readonly width: Int32Array;
  /** The call; of several, the first. */
  readonly index: Int32Array;
  /** 1 for several. */
  readonly isMany: Uint8Array;
  count: number;
}

/** Room for what is drawn of a row of a width: at most one thing begins at a pixel. */
export const visibleCalls = (pixels: number): VisibleCalls => ({
  x: new Int32Array(pixels + 1),
  width: new Int32Array(pixels + 1),
  index: new Int32Array(pixels + 1),
  isMany: new Uint8Array(pixels + 1),
  count: 0,
});

/**
 * Finds what is to be drawn of a row between two times: one search for each pixel at most, however many calls there are.
 * @param into what is found
 */
export function findVisible(row: CallRow, from: number, to: number, pixels: number, into: VisibleCalls): void {
  const { starts, durations, count } = row;
  const perPixel = (to - from) / pixels;
  into.count = 0;
  let at = row.firstEndingAfter(from);
  while (at < count) {
    const start = starts[at]!;
    if (start >= to) return;
    const end = start + durations[at]!;
    const x = Math.max(0, Math.floor((start - from) / perPixel));
    const edge = Math.min(pixels, Math.max(x + 1, Math.round((end - from) / perPixel)));
    const slot = into.count++;
    into.x[slot] = x;
    into.width[slot] = edge - x;
    into.index[slot] = at;
    // The next call that ends behind the pixels that are taken: those before it are not seen.
    const next = row.firstEndingAfter(from + edge * perPixel, at + 1);
    into.isMany[slot] = next > at + 1 ? 1 : 0;
    at = next;
    if (edge >= pixels) return;
  }
}

/** The call nearest to a time: the one that runs, else the one that begins next, else the last; -1: the row is empty. */
export function nearestCall(row: CallRow, time: number): number {
  if (row.count === 0) return -1;
  return Math.min(row.firstEndingAfter(time), row.count - 1);
}

/** The indexes of sorted times that are in a range: the first, and the one behind the last. */
export function timesBetween(times: Float64Array, from: number, to: number): readonly [first: number, end: number] {
  let first = lastAtOrBefore(times, from);
  while (first > 0 && times[first - 1] === from) first--;
  if (first < 0 || times[first]! < from) first++;
  return [first, lastAtOrBefore(times, to) + 1];
}
