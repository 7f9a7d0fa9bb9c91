import { durationMark } from './duration.js';
import { printLatencyFlags } from './latency-flags.js';
import type { TraceSeq } from './trace-seq.js';
import { commOf, type TraceView } from './trace-view.js';

/** The record whose line begins; times in nanoseconds. */
export interface LatencyLine {
  readonly pid: number;
  readonly cpu: number;
  readonly flags: number;
  readonly preemptCount: number;
  readonly ts: number;
  /** Time of the next record of any cpu; for the last record, its own time. */
  readonly nextTs: number;
  /** 0-based number of the line. */
  readonly index: number;
}

const micros = (ns: number): number => Math.floor((ns + 500) / 1000);
const millis = (us: number): string => `${Math.floor(us / 1000)}.${String(us % 1000).padStart(3, '0')}ms`;

/** `    node-4711    0d..1.   12us+: `, or the long form of the option `verbose` (trace_print_lat_context). */
export function printLatencyContext(seq: TraceSeq, view: TraceView, line: LatencyLine): void {
  const comm = commOf(view, line.pid);
  if (view.options.verbose) {
    seq.text(`${comm.padStart(16)} ${String(line.pid).padStart(7)} ${String(line.cpu).padStart(3)} ${line.flags} `);
    seq.text(`${(line.preemptCount & 0xf).toString(16).padStart(8, '0')} ${line.index.toString(16).padStart(8, '0')} `);
  } else {
    seq.text(`${comm.slice(0, 8).padStart(8)}-${String(line.pid).padEnd(7)} ${String(line.cpu).padStart(3)}`);
    printLatencyFlags(seq, line.flags, line.preemptCount);
  }
  printLatencyTime(seq, view, line);
}

function printLatencyTime(seq: TraceSeq, view: TraceView, line: LatencyLine): void {
  const since = line.ts - view.timeStart;
  const until = line.nextTs - line.ts;
  if (!view.clockInNs) {
    const full = `[${line.ts.toString(16).padStart(16, '0')}] ${since} (+${until}): `;
    seq.text(view.options.verbose ? full : ` ${String(since).padStart(4)}: `);
    return;
  }
  if (view.options.verbose) {
    seq.text(`[${micros(line.ts).toString(16).padStart(8, '0')}] ${millis(micros(since))} (+${millis(micros(until))}): `);
  } else {
    seq.text(` ${String(micros(since)).padStart(4)}us${String.fromCharCode(durationMark(micros(until) * 1000))}: `);
  }
}
