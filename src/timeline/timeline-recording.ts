import { CallRow } from './call-row.js';
import type {
  ColumnsEnd,
  ColumnsStart,
  CounterKind,
  InstantKind,
  SliceKind,
  TimelineFunction,
  TimelineTrack,
} from './columns-format.js';
import { GrowingNumbers } from './growing-numbers.js';
import { TimelineTexts } from './timeline-texts.js';

/** Where a call is: its track, its row, its place in the row. */
export interface CallAddress {
  readonly track: number;
  readonly depth: number;
  readonly index: number;
}

/** Events of a track in the order in which they came. */
export class InstantColumn {
  readonly kinds = new GrowingNumbers();
  readonly times = new GrowingNumbers();
  readonly contexts = new GrowingNumbers();
  readonly texts = new GrowingNumbers();

  get count(): number {
    return this.times.count;
  }
}

/** Values of a counter in the order of time. */
export class CounterColumn {
  readonly times = new GrowingNumbers();
  readonly values = new GrowingNumbers();
}

/** What began and ended, and is no call. Times are ns. */
export interface TimelineSlice {
  readonly kind: number;
  readonly track: number;
  readonly start: number;
  readonly duration: number;
  readonly context: number;
  readonly title: string;
}

/** Slices in the order of their ends. A slice is known by its index. */
export class SliceColumn {
  readonly kinds = new GrowingNumbers();
  readonly tracks = new GrowingNumbers();
  readonly starts = new GrowingNumbers();
  readonly durations = new GrowingNumbers();
  readonly contexts = new GrowingNumbers();
  /** Numbers of texts. */
  readonly titles = new GrowingNumbers();
  /** Numbers of HTTP requests, those that they are or work for; NONE: of none. */
  readonly requests = new GrowingNumbers();

  get count(): number {
    return this.starts.count;
  }
}

/** A line that was written into the trace. */
export interface TimelineMark {
  readonly track: number;
  readonly time: number;
  readonly text: string;
}

/** Events that were lost before a time; a count less than 0 is not known. */
export interface TimelineLoss {
  readonly track: number;
  readonly time: number;
  readonly count: number;
}

/** A track and what happened on it. */
export class TrackColumns {
  readonly index: number;
  readonly track: TimelineTrack;
  /** By depth; a depth without calls has an empty row. */
  readonly rows: CallRow[] = [];
  readonly instants = new InstantColumn();

  constructor(index: number, track: TimelineTrack) {
    this.index = index;
    this.track = track;
  }

  row(depth: number): CallRow {
    while (this.rows.length <= depth) this.rows.push(new CallRow(this.rows.length));
    return this.rows[depth]!;
  }

  get callCount(): number {
    return this.rows.reduce((sum, { count }) => sum + count, 0);
  }
}

/** A recording in memory, as far as it was read. */
export class TimelineRecording {
  start: ColumnsStart = { name: '' };
  /** Undefined: there is more to come, or the bytes ended before. */
  end: ColumnsEnd | undefined;
  readonly functions: TimelineFunction[] = [];
  readonly tracks: TrackColumns[] = [];
  readonly instantKinds: InstantKind[] = [];
  readonly sliceKinds: SliceKind[] = [];
  readonly counterKinds: CounterKind[] = [];
  readonly counters: CounterColumn[] = [];
  readonly texts = new TimelineTexts();
  readonly slices = new SliceColumn();
  readonly marks: TimelineMark[] = [];
  readonly losses: TimelineLoss[] = [];
  /** The times of what was read so far, ns of the recording's clock; from Infinity to -Infinity if there is none. */
  from = Infinity;
  to = -Infinity;

  /** The slice of an index. */
  slice(index: number): TimelineSlice {
    const { kinds, tracks, starts, durations, contexts, titles } = this.slices;
    return {
      kind: kinds.at(index),
      track: tracks.at(index),
      start: starts.at(index),
      duration: durations.at(index),
      context: contexts.at(index),
      title: this.texts.at(titles.at(index)),
    };
  }

  get callCount(): number {
    return this.tracks.reduce((sum, track) => sum + track.callCount, 0);
  }

  /** Widens the time of the recording. */
  cover(from: number, to: number): void {
    if (from < this.from) this.from = from;
    if (to > this.to) this.to = to;
  }
}
