import { lastAtOrBefore } from '../base/last-at-or-before.js';
import { CallRow, NONE } from './call-row.js';
import { CONTEXTS, REQUESTS } from './columns-format.js';
import type { TimeRange } from './stacks.js';
import type { CallAddress, TimelineRecording } from './timeline-recording.js';

/** What calls are grouped by: the thread on which they ran, the HTTP request or the async context that they ran for. */
export const GROUPINGS = ['thread', 'request', 'context'] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** Calls of one depth of a group: `row` has copies of them, `indexes` says where each is in the row of its track. */
export interface GroupRow {
  readonly row: CallRow;
  readonly indexes: Int32Array;
}

/** A request, or an async context, and the stretches of time in which it ran on its thread. */
export class ContextGroup implements TimeRange {
  readonly #recording: TimelineRecording;
  #rows: readonly GroupRow[] | undefined;
  /** A key that stays the same: `request 4711 7`. */
  readonly key: string;
  readonly track: number;
  /** `GET /items/7 200`, `PROMISE 1869` */
  title: string;
  /** From its first stretch, or the request's beginning, to the end of the last. */
  from = Infinity;
  to = -Infinity;
  /** ns that the request took; undefined: it is no request, or its end was not recorded. */
  took: number | undefined;
  /** ns in which it ran. */
  busy = 0;
  /** The stretches in which it ran, in the order of time: in place of functions the row has their indexes among the slices. */
  readonly runs = new CallRow(0);

  constructor(recording: TimelineRecording, key: string, track: number, title: string) {
    this.#recording = recording;
    this.key = key;
    this.track = track;
    this.title = title;
  }

  /** ns that the request took, or from the first stretch to the last. */
  get time(): number {
    return this.took ?? this.to - this.from;
  }

  add(slice: number): void {
    const { starts, durations } = this.#recording.slices;
    const [start, duration] = [starts.at(slice), durations.at(slice)];
    this.runs.add(start, duration, 0, slice, 0);
    this.busy += duration;
    this.cover(start, start + duration);
  }

  cover(from: number, to: number): void {
    this.from = Math.min(this.from, from);
    this.to = Math.max(this.to, to);
  }

  /** The calls that began while it ran, by depth; a depth without calls has no row. They are found when they are asked for. */
  rows(): readonly GroupRow[] {
    return (this.#rows ??= this.#recording.tracks[this.track]!.rows.flatMap((row) => {
      const own = this.#rowOf(row);
      return own.row.count === 0 ? [] : [own];
    }));
  }

  /** The call of the group before another one of its depth, or behind that; undefined if there is none. */
  neighbour({ depth, index }: CallAddress, step: 1 | -1): CallAddress | undefined {
    const found = this.rows().find(({ row }) => row.depth === depth);
    const at = found === undefined ? NONE : found.indexes.indexOf(index);
    const next = found?.indexes[at + step];
    return at === NONE || next === undefined ? undefined : { track: this.track, depth, index: next };
  }

  #rowOf(all: CallRow): GroupRow {
    const row = new CallRow(all.depth);
    const indexes: number[] = [];
    const { runs } = this;
    const starts = all.starts.subarray(0, all.count);
    for (let run = 0, at = 0; run < runs.count; run++) {
      const start = runs.starts[run]!;
      const least = at;
      at = Math.max(least, lastAtOrBefore(starts, start) + 1);
      while (at > least && starts[at - 1] === start) at--;
      for (; at < all.count && all.starts[at]! < runs.end(run); at++) {
        row.add(all.starts[at]!, all.durations[at]!, all.insides[at]!, all.functions[at]!, all.flags[at]!);
        indexes.push(at);
      }
    }
    return { row, indexes: Int32Array.from(indexes) };
  }
}

/** The groups of a recording, the longest first. */
export class ContextGroups {
  readonly all: readonly ContextGroup[];
  readonly by: Grouping;
  /** By track: the stretches of all contexts in the order of time, and the group of each; undefined: it is in none. */
  readonly #tracks: { readonly starts: number[]; readonly ends: number[]; readonly groups: (ContextGroup | undefined)[] }[] = [];
  readonly #bySlice = new Map<number, ContextGroup>();

  constructor(recording: TimelineRecording, by: Grouping) {
    this.by = by;
    const { slices, sliceKinds, tracks } = recording;
    const [contexts, requests] = [CONTEXTS, REQUESTS].map((name) => sliceKinds.findIndex((kind) => kind.name === name));
    const groups = new Map<string, ContextGroup>();
    const titles = by === 'request' ? requestSlices(recording, requests!) : new Map<string, number>();
    const runs: number[] = [];
    for (let index = 0; index < slices.count; index++) if (slices.kinds.at(index) === contexts) runs.push(index);
    runs.sort((a, b) => slices.starts.at(a) - slices.starts.at(b));
    for (const index of by === 'thread' ? [] : runs) {
      const track = slices.tracks.at(index);
      const number = (by === 'request' ? slices.requests : slices.contexts).at(index);
      const pid = tracks[track]?.track.pid ?? 0;
      const key = `${by} ${pid} ${number}`;
      let group: ContextGroup | undefined;
      if (by === 'context' || number !== NONE) {
        group = groups.get(`${track} ${key}`);
        if (group === undefined) {
          const title = titles.get(`${pid} ${number}`);
          group = new ContextGroup(recording, key, track, recording.slice(title ?? index).title);
          if (by === 'request' && title === undefined) group.title = `request ${number}`;
          groups.set(`${track} ${key}`, group);
          if (title !== undefined) {
            group.took = slices.durations.at(title);
            group.cover(slices.starts.at(title), slices.starts.at(title) + slices.durations.at(title));
            this.#bySlice.set(title, group);
          }
        }
        group.add(index);
        this.#bySlice.set(index, group);
      }
      const on = (this.#tracks[track] ??= { starts: [], ends: [], groups: [] });
      on.starts.push(slices.starts.at(index));
      on.ends.push(slices.starts.at(index) + slices.durations.at(index));
      on.groups.push(group);
    }
    this.all = [...groups.values()].sort((a, b) => b.time - a.time);
  }

  /** The group that runs on a track at a time. */
  at(track: number, time: number): ContextGroup | undefined {
    const on = this.#tracks[track];
    if (on === undefined) return undefined;
    const at = lastAtOrBefore(on.starts, time);
    return at >= 0 && time < on.ends[at]! ? on.groups[at] : undefined;
  }

  /** The group of a request or a stretch. */
  ofSlice(index: number): ContextGroup | undefined {
    return this.#bySlice.get(index);
  }
}

/** By process and number: the slices of requests. */
function requestSlices({ slices, tracks }: TimelineRecording, kind: number): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (let index = 0; index < slices.count; index++)
    if (slices.kinds.at(index) === kind)
      found.set(`${tracks[slices.tracks.at(index)]?.track.pid ?? 0} ${slices.requests.at(index)}`, index);
  return found;
}

/** What a recording can be grouped by. */
export function groupingsOf({ slices, sliceKinds }: TimelineRecording): readonly Grouping[] {
  const contexts = sliceKinds.findIndex(({ name }) => name === CONTEXTS);
  if (contexts < 0) return ['thread'];
  for (let index = 0; index < slices.count; index++)
    if (slices.kinds.at(index) === contexts && slices.requests.at(index) !== NONE) return GROUPINGS;
  return ['thread', 'context'];
}
