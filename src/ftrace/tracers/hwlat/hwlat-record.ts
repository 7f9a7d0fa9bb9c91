import { FTRACE_EVENTS } from '../../../events/ftrace-events.js';
import type { RecordWriter } from '../record-writer.js';
import { writeRecord } from '../write-record.js';
import type { GapSample } from './sample-gaps.js';

const SECOND = 1e9;

/** Interruptions of a sampler with a known cause: the garbage collector's pauses, where the kernel counts NMIs. */
export interface Interruptions {
  readonly count: number;
  readonly totalUs: number;
}

/** Writes what a sampler found (trace_hwlat_sample). */
export function writeHwlat(
  writer: RecordWriter,
  pid: number,
  sequence: number,
  sample: GapSample,
  interruptions: Interruptions,
): boolean {
  const seconds = Math.floor(sample.firstAt / SECOND);
  return writeRecord(
    writer,
    sample.end,
    FTRACE_EVENTS.hwlat,
    { pid },
    {
      duration: sample.inner,
      outer_duration: sample.outer,
      nmi_total_ts: interruptions.totalUs,
      tv_sec: seconds,
      tv_nsec: sample.firstAt - seconds * SECOND,
      nmi_count: interruptions.count,
      seqnum: sequence,
      count: sample.count,
    },
  );
}
