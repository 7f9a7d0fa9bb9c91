import type { TimelineRecording } from '../timeline/timeline-recording.js';

/** A stretch of a track in which records were lost, ns. */
export interface LossRange {
  readonly track: number;
  readonly from: number;
  readonly to: number;
  /** Less than 0: it is not known. */
  readonly count: number;
}

const known = new WeakMap<TimelineRecording, readonly LossRange[]>();

/** The stretches in which records were lost: from the last thing that is known before, to the first one behind. */
export function lossRanges(recording: TimelineRecording): readonly LossRange[] {
  const before = known.get(recording);
  if (before?.length === recording.losses.length) return before;
  const ranges = recording.losses.map(({ track, time, count }): LossRange => {
    let from = recording.from;
    for (const row of recording.tracks[track]?.rows ?? []) {
      const at = row.firstEndingAfter(time - 1) - 1;
      if (at >= 0) from = Math.max(from, Math.min(time, row.end(at)));
    }
    return { track, from, to: time, count };
  });
  known.set(recording, ranges);
  return ranges;
}
