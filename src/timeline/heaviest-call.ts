import { type CallRow, NONE } from './call-row.js';
import type { TimeRange } from './stacks.js';
import type { CallAddress, TimelineRecording } from './timeline-recording.js';

/**
 * The call of the application that took most of a range of time on a track: without other calls of the application inside of it,
 * but with those of packages. Undefined if there is none.
 */
export function heaviestCall(
  { tracks, functions }: TimelineRecording,
  track: number,
  { from, to }: TimeRange,
): CallAddress | undefined {
  const rows = tracks[track]?.rows ?? [];
  const isOwn = (row: CallRow, at: number): boolean => functions[row.functions[at]!]?.isOwn === true;
  const timeOf = (row: CallRow, at: number): number => Math.min(row.end(at), to) - Math.max(row.starts[at]!, from);
  /** By row: the first call in the range, and the time of each from there on that is not another one's. */
  const firsts: number[] = [];
  const times: Float64Array[] = [];
  for (const row of rows) {
    const [first, end] = row.between(from, to);
    firsts.push(first);
    times.push(Float64Array.from({ length: end - first }, (_, i) => (isOwn(row, first + i) ? timeOf(row, first + i) : 0)));
    for (let at = first; at < end; at++) {
      if (!isOwn(row, at)) continue;
      const around = ownCaller(rows, row.depth, at, isOwn);
      if (around !== undefined) times[around.depth]![around.index - firsts[around.depth]!]! -= timeOf(row, at);
    }
  }
  let best: CallAddress | undefined;
  let most = 0;
  for (const [depth, all] of times.entries()) {
    for (const [i, time] of all.entries()) {
      if (time <= most) continue;
      most = time;
      best = { track, depth, index: firsts[depth]! + i };
    }
  }
  return best;
}

/** The nearest call around another one that is the application's. */
function ownCaller(
  rows: readonly CallRow[],
  depth: number,
  at: number,
  isOwn: (row: CallRow, at: number) => boolean,
): { readonly depth: number; readonly index: number } | undefined {
  const start = rows[depth]!.starts[at]!;
  let index = at;
  for (let below = depth - 1; below >= 0; below--) {
    const caller = index === NONE ? NONE : rows[below + 1]!.callers[index]!;
    // Where the caller was lost, the call that runs at the time is around it.
    index = caller === NONE ? rows[below]!.at(start) : caller;
    if (index !== NONE && isOwn(rows[below]!, index)) return { depth: below, index };
  }
  return undefined;
}
