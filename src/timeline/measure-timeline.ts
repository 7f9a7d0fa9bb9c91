import type { Frame } from '../answers/place.js';
import { DurationBatches } from '../base/duration-batches.js';
import { DurationHistogram } from '../base/duration-histogram.js';
import { callAround } from './call-around.js';
import { eachByEnd } from './calls-by-end.js';
import { CALL_FLAGS, type TimelineFunction } from './columns-format.js';
import type { MeasuredFunction, MeasuredRecording } from './compare.js';
import type { TimelineRecording } from './timeline-recording.js';

/** What is measured of a function of a recording in memory. Times are ns. */
export class MeasuredTimelineFunction implements MeasuredFunction {
  /** The function by its number in the recording. */
  readonly func: number;
  readonly name: string;
  readonly place?: NonNullable<Frame['place']>;
  readonly package?: string;
  readonly isOwn: boolean;
  calls = 0;
  total = 0;
  running = 0;
  self = 0;
  readonly times = new DurationHistogram();
  readonly callBatches = new DurationBatches();
  readonly ownBatches = new DurationBatches();
  readonly callees = new Map<MeasuredTimelineFunction, number>();

  constructor(func: number, { name, package: from, file, line, column, isOwn }: TimelineFunction) {
    this.func = func;
    this.name = from !== '' && name.endsWith(` [${from}]`) ? name.slice(0, -from.length - 3) : name;
    if (file !== '') this.place = { file, line, column };
    if (from !== '') this.package = from;
    this.isOwn = isOwn;
  }
}

/**
 * Measures the functions of a recording as `fentry diff` does: the calls of each in the order of their ends, for
 * `compareFunctions`. All functions are there, by their numbers.
 */
export function measureTimeline(recording: TimelineRecording): MeasuredRecording<MeasuredTimelineFunction> {
  const functions = recording.functions.map((one, func) => new MeasuredTimelineFunction(func, one));
  eachByEnd(recording.tracks, (row, at, { rows }) => {
    const one = functions[row.functions[at]!]!;
    const flags = row.flags[at]!;
    if ((flags & CALL_FLAGS.resumed) === 0) {
      const caller = callAround(rows, row.depth, at);
      if (caller !== undefined) {
        const { callees } = functions[rows[caller.depth]!.functions[caller.index]!]!;
        callees.set(one, (callees.get(one) ?? 0) + 1);
      }
    }
    if ((flags & CALL_FLAGS.unfinished) !== 0) return;
    const isOutermost = (flags & CALL_FLAGS.inner) === 0;
    const self = row.self(at);
    one.self += self;
    one.ownBatches.add(self);
    if (isOutermost) one.running += row.durations[at]!;
    if ((flags & CALL_FLAGS.suspended) !== 0) return;
    const time = row.callTime(at);
    one.calls++;
    one.times.add(time);
    one.callBatches.add(time);
    if (isOutermost) one.total += time;
  });
  for (const [func, count] of recording.end?.hits ?? []) functions[func]!.calls += count;
  return { file: recording.start.name, application: recording.end?.application ?? '', functions };
}
