import type { CallRow } from './call-row.js';
import type { TrackColumns } from './timeline-recording.js';

/** A row, and its next call. */
interface Cursor {
  readonly track: TrackColumns;
  readonly row: CallRow;
  at: number;
  end: number;
}

/** Whether a cursor's call ends before another one's; of those that end together, the deeper is first. */
const isBefore = (a: Cursor, b: Cursor): boolean => a.end < b.end || (a.end === b.end && a.row.depth > b.row.depth);

/** Tells of all calls of some tracks in the order of their ends: the rows are merged by a heap. */
export function eachByEnd(tracks: readonly TrackColumns[], take: (row: CallRow, at: number, track: TrackColumns) => void): void {
  const heap = tracks.flatMap((track) =>
    track.rows.filter(({ count }) => count > 0).map((row): Cursor => ({ track, row, at: 0, end: row.end(0) })),
  );
  // A sorted array is a heap.
  heap.sort((a, b) => (isBefore(a, b) ? -1 : 1));
  while (heap.length > 0) {
    const first = heap[0]!;
    take(first.row, first.at, first.track);
    first.at++;
    if (first.at < first.row.count) first.end = first.row.end(first.at);
    else {
      const last = heap.pop()!;
      if (heap.length === 0) return;
      if (last !== first) heap[0] = last;
    }
    sink(heap);
  }
}

/** Moves the first of a heap to its place. */
function sink(heap: Cursor[]): void {
  const one = heap[0]!;
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child++;
    if (!isBefore(heap[child]!, one)) break;
    heap[at] = heap[child]!;
    at = child;
  }
  heap[at] = one;
}
