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
  readonly title: string;
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
  readonly #recording: TimelineRecording;
  readonly #byKey = new Map<string, ContextGroup>();
  /** By process and number: the slices of requests, if calls are grouped by them. */
  readonly #requests: ReadonlyMap<string, number>;

  constructor(recording: TimelineRecording, by: Grouping) {
    this.#recording = recording;
    this.by = by;
    this.#requests = by === 'request' ? requestSlices(recording) : new Map();
    const { slices } = recording;
    const runs = by === 'thread' ? [] : slicesOfKind(recording, CONTEXTS);
    runs.sort((a, b) => slices.starts.at(a) - slices.starts.at(b));
    for (const run of runs) this.#addRun(run);
    this.all = [...this.#byKey.values()].sort((a, b) => b.time - a.time);
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

  #addRun(run: number): void {
    const { slices } = this.#recording;
    const track = slices.tracks.at(run);
    const group = this.#groupOf(run);
    if (group !== undefined) {
      group.add(run);
      this.#bySlice.set(run, group);
    }
    const on = (this.#tracks[track] ??= { starts: [], ends: [], groups: [] });
    on.starts.push(slices.starts.at(run));
    on.ends.push(slices.starts.at(run) + slices.durations.at(run));
    on.groups.push(group);
  }

  /** The group of a stretch, a new one if it is the first of it; undefined: it works for no request. */
  #groupOf(run: number): ContextGroup | undefined {
    const { by } = this;
    const { slices, tracks } = this.#recording;
    const number = (by === 'request' ? slices.requests : slices.contexts).at(run);
    if (by === 'request' && number === NONE) return undefined;
    const track = slices.tracks.at(run);
    const pid = tracks[track]?.track.pid ?? 0;
    const key = `${by} ${pid} ${number}`;
    const known = this.#byKey.get(`${track} ${key}`);
    if (known !== undefined) return known;
    const request = this.#requests.get(`${pid} ${number}`);
    const title = by === 'request' && request === undefined ? `request ${number}` : this.#recording.slice(request ?? run).title;
    const group = new ContextGroup(this.#recording, key, track, title);
    this.#byKey.set(`${track} ${key}`, group);
    if (request === undefined) return group;
    group.took = slices.durations.at(request);
    group.cover(slices.starts.at(request), slices.starts.at(request) + slices.durations.at(request));
    this.#bySlice.set(request, group);
    return group;
  }
}

/** The slices of a kind, in the order of the recording. */
function slicesOfKind({ slices, sliceKinds }: TimelineRecording, name: string): number[] {
  const kind = sliceKinds.findIndex((one) => one.name === name);
  const found: number[] = [];
  for (let index = 0; index < slices.count; index++) if (slices.kinds.at(index) === kind) found.push(index);
  return found;
}

/** By process and number: the slices of requests. */
function requestSlices(recording: TimelineRecording): ReadonlyMap<string, number> {
  const { slices, tracks } = recording;
  return new Map(
    slicesOfKind(recording, REQUESTS).map((index) => [
      `${tracks[slices.tracks.at(index)]?.track.pid ?? 0} ${slices.requests.at(index)}`,
      index,
    ]),
  );
}

/** What a recording can be grouped by. */
export function groupingsOf(recording: TimelineRecording): readonly Grouping[] {
  if (!recording.sliceKinds.some(({ name }) => name === CONTEXTS)) return ['thread'];
  const { requests } = recording.slices;
  return slicesOfKind(recording, CONTEXTS).some((run) => requests.at(run) !== NONE) ? GROUPINGS : ['thread', 'context'];
}
