import { CallRow } from '../timeline/call-row.js';
import type { ContextGroup, ContextGroups } from '../timeline/context-groups.js';
import type { TimelineRecording } from '../timeline/timeline-recording.js';
import { countText } from './time-text.js';

/** A stripe of the timeline, and what is drawn on it. */
export type Lane = { readonly y: number; readonly height: number } & (
  | { readonly type: 'title'; readonly track: number; readonly isFolded: boolean }
  | { readonly type: 'group'; readonly group: ContextGroup; readonly isFolded: boolean }
  | { readonly type: 'note'; readonly text: string }
  | { readonly type: 'instants'; readonly track: number }
  | { readonly type: 'slices'; readonly track: number; readonly kind: number; readonly row: CallRow }
  | { readonly type: 'counter'; readonly counter: number }
  /** `indexes`: where the calls are in the row of their track, if this is a row of some of them. */
  | { readonly type: 'calls'; readonly track: number; readonly row: CallRow; readonly indexes?: Int32Array }
);

const HEIGHTS = { title: 24, group: 20, note: 20, instants: 16, slices: 18, counter: 38, calls: 18 } as const;
/** Slices of one kind that overlap stand below each other, in so many rows at most. */
const MOST_ROWS = 24;
/** More groups have no stripes: nobody scrolls that far. */
const MOST_GROUPS = 1000;

/** How the stripes are laid out. */
export interface LayoutChoice {
  /** Undefined: a group a thread. */
  readonly groups: ContextGroups | undefined;
  /** The keys of the groups whose state was changed: threads are unfolded otherwise, the others folded. */
  readonly toggled: ReadonlySet<string>;
  /** Only groups whose titles have these words; of lower case. */
  readonly words: readonly string[];
}

/** The stripes, and how high they are together. */
export interface TimelineLayout {
  readonly lanes: readonly Lane[];
  readonly height: number;
}

/** The key of a thread's group. */
export const trackKey = (track: number): string => `thread ${track}`;

/** The stripes from top to bottom, in CSS pixels. */
export function layOut(recording: TimelineRecording, choice: LayoutChoice): TimelineLayout {
  const lanes: Lane[] = [];
  let y = 0;
  const add = (lane: WithoutPlace): void => {
    const height = HEIGHTS[lane.type];
    lanes.push({ ...lane, y, height } as Lane);
    y += height;
  };
  if (choice.groups === undefined) addThreads(recording, choice.toggled, add);
  else addGroups(choice.groups, choice, add);
  return { lanes, height: y };
}

/** The stripes of each thread: its counters, events, slices and calls. */
function addThreads(recording: TimelineRecording, toggled: ReadonlySet<string>, add: (lane: WithoutPlace) => void): void {
  const slices = packed(recording);
  /** A process has its counters with its first thread. */
  const counted = new Set<number>();
  for (const { index, track, rows, instants } of recording.tracks) {
    const own = slices.filter(({ track }) => track === index);
    if (own.length === 0 && instants.count === 0 && rows.every(({ count }) => count === 0)) continue;
    const isFolded = toggled.has(trackKey(index));
    add({ type: 'title', track: index, isFolded });
    if (isFolded) continue;
    for (const [counter, { pid }] of recording.counterKinds.entries())
      if (pid === track.pid && !counted.has(counter) && recording.counters[counter]!.times.count > 0) {
        counted.add(counter);
        add({ type: 'counter', counter });
      }
    if (instants.count > 0 || recording.marks.some(({ track }) => track === index)) add({ type: 'instants', track: index });
    for (const { kind, row } of own) add({ type: 'slices', track: index, kind, row });
    for (const row of rows) if (row.count > 0) add({ type: 'calls', track: index, row });
  }
}

/** The groups that are shown, the longest first. */
export function shownGroups({ all }: ContextGroups, words: readonly string[]): readonly ContextGroup[] {
  const has = ({ title }: ContextGroup): boolean => words.every((word) => title.toLowerCase().includes(word));
  const matching = words.length === 0 ? all : all.filter(has);
  // Words that are in no title were searched for in something else.
  return matching.length === 0 ? all : matching;
}

/** A stripe for each request or context, with its calls below it if it is unfolded. */
function addGroups(groups: ContextGroups, { toggled, words }: LayoutChoice, add: (lane: WithoutPlace) => void): void {
  const shown = shownGroups(groups, words);
  const what = groups.by === 'request' ? 'requests' : 'async contexts';
  const least = Math.min(MOST_GROUPS, shown.length);
  // What was unfolded, by a search say, is there though it is short.
  const listed = shown.filter(({ key }, i) => i < least || toggled.has(key));
  const some =
    listed.length < groups.all.length
      ? `${countText(listed.length)} of ${countText(groups.all.length)}`
      : countText(listed.length);
  add({ type: 'note', text: `${some} ${what}, the longest first` });
  for (const group of listed) {
    const isFolded = !toggled.has(group.key);
    add({ type: 'group', group, isFolded });
    if (!isFolded) for (const { row, indexes } of group.rows()) add({ type: 'calls', track: group.track, row, indexes });
  }
  if (listed.length < shown.length) add({ type: 'note', text: 'The others are shorter; a search finds them.' });
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
