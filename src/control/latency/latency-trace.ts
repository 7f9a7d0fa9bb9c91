import { release } from 'node:os';
import { FTRACE_EVENTS, TRACE_FLAG } from '../../events/ftrace-events.js';
import { recordOf } from '../../events/record-of.js';
import type { SymbolTable } from '../../ftrace/symbols.js';
import type { LatencyRecord } from '../../ftrace/tracers/latency/max-latency.js';
import { tracerNamed } from '../../ftrace/tracers/tracers.js';
import { type HeaderCounts, type LatencyInfo, traceHeader } from '../../output/header.js';
import { type RecordCursor, RecordPlace, SnapshotRecords } from '../../output/record-cursor.js';
import { RecordMerge } from '../../output/record-merge.js';
import { symbolText } from '../../output/symbol-printer.js';
import { TracePrinter, traceLines } from '../../output/trace-printer.js';
import { TraceSeq } from '../../output/trace-seq.js';
import type { TraceView } from '../../output/trace-view.js';
import type { LatencyTrace, MaxTrace } from './max-trace.js';

/** The kernel's policies by prio: real time is SCHED_FIFO, a deadline SCHED_DEADLINE. */
const MAX_RT_PRIO = 100;
const DEADLINE = 255;
const NORMAL = 120;

const NO_LATENCY = { latencyNs: 0, cpu: 0, pid: 0, uid: 0 };

/** How a latency tracer's trace is printed with display-graph: with fixed columns, whatever the options of function_graph say. */
export function latencyGraphView(view: TraceView): TraceView {
  const { graphColumns } = tracerNamed(view.tracer);
  return { ...view, options: { ...view.options, ...graphColumns }, relativeTime: true };
}

/** The records of a snapshot from a time on (tracing_iter_reset). */
class RecentRecords extends SnapshotRecords {
  readonly #since: number;

  constructor(cpu: number, snapshot: LatencyTrace['snapshot'], since: number) {
    super(cpu, snapshot);
    this.#since = since;
  }

  override advance(): boolean {
    while (super.advance()) if (this.ts >= this.#since) return true;
    return false;
  }
}

/**
 * The record of a wake-up. It could not be written when it happened: a timer is seen only when it runs, and among all queued
 * callbacks it is not known yet which will wait longest.
 */
class WokenRecord extends RecordPlace implements RecordCursor {
  #isTaken = false;

  constructor({ cpu, start, pid, prio, waker }: LatencyRecord) {
    super(cpu);
    this.ts = start;
    this.bytes = recordOf(
      FTRACE_EVENTS.wakeup,
      { pid: waker, flags: TRACE_FLAG.IRQS_OFF },
      {
        prev_pid: waker,
        next_pid: pid,
        next_cpu: cpu,
        prev_prio: NORMAL,
        prev_state: 0,
        next_prio: prio,
        next_state: 0,
      },
    );
    this.words = new Uint32Array(this.bytes.buffer);
    this.size = this.bytes.length;
  }

  advance(): boolean {
    if (this.#isTaken) return false;
    this.#isTaken = true;
    return true;
  }
}

function cursorsOf({ record, snapshot }: LatencyTrace, inNs: boolean): RecordCursor[] {
  snapshot.rewind();
  const recent = new RecentRecords(record.cpu, snapshot, inNs ? record.start : 0);
  // A wake-up has no place in the code, only a task that waited.
  return record.startedAt === 0 && inNs ? [new WokenRecord(record), recent] : [recent];
}

function countOf(trace: LatencyTrace, inNs: boolean): number {
  let count = 0;
  for (const cursor of cursorsOf(trace, inNs)) while (cursor.advance()) count++;
  return count;
}

function infoOf({ options }: TraceView, symbols: SymbolTable, record: LatencyRecord): Omit<LatencyInfo, 'release'> {
  const style = { module: options['sym-offset'], offset: options['sym-offset'], address: options['sym-addr'] };
  const name = (address: number): string => symbolText(symbols, style, address);
  const { latency, cpu, pid, prio, startedAt, endedAt } = record;
  const isReal = prio < MAX_RT_PRIO;
  return {
    latencyNs: latency,
    cpu,
    pid,
    uid: process.getuid?.() ?? 0,
    policy: prio === DEADLINE ? 6 : isReal ? 1 : 0,
    rtPrio: isReal ? MAX_RT_PRIO - 1 - prio : 0,
    ...(startedAt !== 0 && { critical: { start: name(startedAt), end: name(endedAt) } }),
  };
}

/**
 * trace while a latency tracer is current: what ran during the longest latency of all cpus; of one cpu, during all that it keeps.
 */
export function* latencyContent(
  maximum: MaxTrace,
  plain: TraceView,
  symbols: SymbolTable,
  cpu: number | undefined,
): Generator<Uint8Array | string> {
  const shown = cpu === undefined ? [maximum.trace()] : maximum.traces(cpu);
  for (const trace of shown.length === 0 ? [undefined] : shown) yield* oneLatency(trace, plain, symbols);
}

function* oneLatency(trace: LatencyTrace | undefined, plain: TraceView, symbols: SymbolTable): Generator<Uint8Array | string> {
  const timed = {
    ...plain,
    timeStart: plain.clockInNs ? (trace?.record.start ?? 0) : plain.timeStart,
    flags: TRACE_FLAG.IRQS_OFF,
  };
  const view = plain.options['display-graph'] ? latencyGraphView(timed) : timed;
  const entries = trace === undefined ? 0 : countOf(trace, view.clockInNs);
  const counts: HeaderCounts = { entries, written: entries, isEmpty: trace === undefined };
  const info = trace === undefined ? NO_LATENCY : infoOf(view, symbols, trace.record);
  const seq = new TraceSeq();
  seq.text(traceHeader(view, counts, { release: release(), ...info }));
  if (trace === undefined) yield seq.take();
  else yield* traceLines(new TracePrinter(view, { annotate: false }), new RecordMerge(cursorsOf(trace, view.clockInNs)), seq);
}
