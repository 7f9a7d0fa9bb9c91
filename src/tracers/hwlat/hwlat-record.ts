import { FTRACE_EVENTS } from '../../events/ftrace-events.js';
import { HIGH_HALF } from '../record-layout.js';
import type { RecordWriter } from '../record-writer.js';
import type { GapSample } from './sample-gaps.js';

const { id: HWLAT } = FTRACE_EVENTS.hwlat;
const BYTES = 64;
const SECOND = 1e9;

/** Interruptions of a sampler that have a name: the garbage collector's, where the kernel counts NMIs. */
export interface Interruptions {
  readonly count: number;
  readonly totalUs: number;
}

const long = (n: number): readonly [low: number, high: number] => [n >>> 0, Math.floor(n * HIGH_HALF)];

/** Writes what a sampler found (trace_hwlat_sample). */
export function writeHwlat(
  writer: RecordWriter,
  pid: number,
  sequence: number,
  sample: GapSample,
  interruptions: Interruptions,
): boolean {
  const at = writer.reserve(BYTES, sample.end);
  if (at < 0) return false;
  const seconds = Math.floor(sample.firstAt / SECOND);
  writer.u32.set(
    [
      HWLAT,
      pid,
      ...long(sample.inner),
      ...long(sample.outer),
      ...long(interruptions.totalUs),
      ...long(seconds),
      ...long(Math.floor(sample.firstAt - seconds * SECOND)),
      interruptions.count,
      sequence,
      sample.count,
      0,
    ],
    at,
  );
  writer.commit();
  return true;
}
