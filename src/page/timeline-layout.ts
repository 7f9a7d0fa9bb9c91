import { CallRow } from '../timeline/call-row.js';
import type { TimelineRecording } from '../timeline/timeline-recording.js';

/** A stripe of the timeline, and what is drawn on it. */
export type Lane = { readonly y: number; readonly height: number } & (
  | { readonly type: 'title'; readonly track: number }
  | { readonly type: 'instants'; readonly track: number }
  | { readonly type: 'slices'; readonly track: number; readonly kind: number; readonly row: CallRow }
  | { readonly type: 'counter'; readonly counter: number }
  | { readonly type: 'calls'; readonly track: number; readonly row: CallRow }
);

const HEIGHTS = { title: 24, instants: 16, slices: 18, counter: 38, calls: 18 } as const;
/** Slices of one kind that overlap stand below each other, in so many rows at most. */
const MOST_ROWS = 24;

/** The stripes from top to bottom, in CSS pixels: of each thread its counters, events, slices and calls. */
export function layOut(recording: TimelineRecording): { readonly lanes: readonly Lane[]; readonly height: number } {
  const lanes: Lane[] = [];
  let y = 0;
  const add = (lane: WithoutPlace): void => {
    const height = HEIGHTS[lane.type];
    lanes.push({ ...lane, y, height } as Lane);
    y += height;
  };
  const slices = packed(recording);
  /** A process has its counters with its first thread. */
  const counted = new Set<number>();
  for (const { index, track, rows, instants } of recording.tracks) {
    const own = slices.filter(({ track }) => track === index);
    if (own.length === 0 && instants.count === 0 && rows.every(({ count }) => count === 0)) continue;
    add({ type: 'title', track: index });
    for (const [counter, { pid }] of recording.counterKinds.entries())
      if (pid === track.pid && !counted.has(counter) && recording.counters[counter]!.times.count > 0) {
        counted.add(counter);
        add({ type: 'counter', counter });
      }
    if (instants.count > 0 || recording.marks.some(({ track }) => track === index)) add({ type: 'instants', track: index });
    for (const { kind, row } of own) add({ type: 'slices', track: index, kind, row });
    for (const row of rows) if (row.count > 0) add({ type: 'calls', track: index, row });
  }
  return { lanes, height: y };
}

type WithoutPlace = Lane extends infer One ? (One extends Lane ? Omit<One, 'y' | 'height'> : never) : never;

interface SliceRow {
  readonly track: number;
  readonly kind: number;
  readonly row: CallRow;
  end: number;
}

/**
 * Slices in rows in which they do not overlap, in the order of tracks and kinds. In place of functions a row has the slices'
 * indexes. What finds no row is not drawn.
 */
function packed({ slices: { kinds, tracks, starts, durations, count } }: TimelineRecording): readonly SliceRow[] {
  const rows = new Map<string, SliceRow[]>();
  const order = Uint32Array.from({ length: count }, (_, index) => index).sort((a, b) => starts.at(a) - starts.at(b));
  for (const index of order) {
    const [kind, track, start, duration] = [kinds.at(index), tracks.at(index), starts.at(index), durations.at(index)];
    const key = `${track} ${kind}`;
    let own = rows.get(key);
    if (own === undefined) rows.set(key, (own = []));
    let one = own.find(({ end }) => end <= start);
    if (one === undefined && own.length < MOST_ROWS) {
      one = { track, kind, row: new CallRow(own.length), end: 0 };
      own.push(one);
    }
    if (one === undefined) continue;
    one.row.add(start, duration, 0, index, 0);
    one.end = start + duration;
  }
  return [...rows.values()].flat().sort((a, b) => a.track - b.track || a.kind - b.kind);
}

/** The stripe at a height; undefined below the last one. */
export function laneAt(lanes: readonly Lane[], y: number): Lane | undefined {
  return lanes.find((lane) => y >= lane.y && y < lane.y + lane.height);
}
