import { durationMark } from './duration.js';
import { pidOf, preemptCountOf } from './record.js';
import type { RecordMerge } from './record-merge.js';
import type { TraceSeq } from './trace-seq.js';
import { commOf, type TraceView } from './trace-view.js';

const micros = (ns: number): number => Math.floor((ns + 500) / 1000);
const millis = (us: number): string => `${Math.floor(us / 1000)}.${String(us % 1000).padStart(3, '0')}ms`;
const hex = (value: number, width: number): string => value.toString(16).padStart(width, '0');

/** How long after the start of the times the record is, and how long before the next one of any cpu; the last has none. */
const timesOf = (view: TraceView, record: RecordMerge): readonly [since: number, until: number] => [
  record.ts - view.timeStart,
  (record.nextTime() ?? record.ts) - record.ts,
];

/** `   12us+`: the time, and a mark for a long delay until the next record (lat_print_timestamp). */
export function printDelay(seq: TraceSeq, view: TraceView, record: RecordMerge): void {
  const [since, until] = timesOf(view, record);
  const mark = (): string => String.fromCharCode(durationMark(micros(until) * 1000, view.dialect.duration));
  seq.text(view.clockInNs ? ` ${String(micros(since)).padStart(4)}us${mark()}` : ` ${String(since).padStart(4)}`);
}

/** The long form of the latency format, with the option `verbose` (trace_print_lat_context). */
export function printVerboseContext(seq: TraceSeq, view: TraceView, record: RecordMerge, flags: number, index: number): void {
  const pid = pidOf(record);
  const [since, until] = timesOf(view, record);
  seq.text(`${commOf(view, pid).padStart(16)} ${String(pid).padStart(7)} ${String(record.cpu).padStart(3)} ${flags} `);
  seq.text(`${hex(preemptCountOf(record) & 0xf, 8)} ${hex(index, 8)} `);
  if (!view.clockInNs) seq.text(`[${hex(record.ts, 16)}] ${since} (+${until}): `);
  else seq.text(`[${hex(micros(record.ts), 8)}] ${millis(micros(since))} (+${millis(micros(until))}): `);
}
