import { release } from 'node:os';
import { isLatencyTracer } from '../../ftrace/tracers/tracers.js';
import { KERNEL } from '../../output/dialect.js';
import { type HeaderCounts, traceHeader } from '../../output/header.js';
import { SnapshotRecords } from '../../output/record-cursor.js';
import { RecordMerge } from '../../output/record-merge.js';
import { tableSymbols } from '../../output/symbol-printer.js';
import { TracePrinter, traceLines } from '../../output/trace-printer.js';
import { TraceSeq } from '../../output/trace-seq.js';
import type { TraceView } from '../../output/trace-view.js';
import { framePlaceText, symbolPlaceText } from '../ftrace/symbol-place-text.js';
import { latencyContent } from '../latency/latency-trace.js';
import type { TraceFile } from '../tracefs/node.js';
import { textFile } from '../tracefs/text-file.js';
import type { TraceInstance } from './instance.js';
import type { CpuBuffer } from './thread-buffer.js';

/** The present print settings of the instance's buffers. */
export function traceView(instance: TraceInstance): TraceView {
  const { process: traced } = instance;
  const symbols = traced.symbols();
  const { places } = instance.options;
  return {
    dialect: KERNEL,
    tracer: instance.tracer,
    options: instance.options,
    symbols: tableSymbols(symbols, places ? symbolPlaceText(traced) : undefined),
    ...(places && { stackSymbols: tableSymbols(symbols, framePlaceText(traced)) }),
    events: traced.events,
    hasAppended: true,
    comm: (pid) => traced.comm(pid),
    tgid: (pid) => (traced.isOwnTask(pid) ? process.pid : undefined),
    cpus: instance.buffers.all().length,
    clockInNs: instance.buffers.isClockInNs,
    timeStart: instance.buffers.timeStart,
  };
}

/** What the given buffers of an instance hold. */
export function* traceContent(
  instance: TraceInstance,
  buffers: readonly CpuBuffer[],
  cpu: number | undefined,
): Generator<Uint8Array | string> {
  const view = traceView(instance);
  if (isLatencyTracer(instance.tracer)) {
    yield* latencyContent(instance.maximum, view, instance.process.symbols(), cpu);
    return;
  }
  let entries = 0;
  let overrun = 0;
  const cursors: SnapshotRecords[] = [];
  for (const buffer of buffers) {
    if (buffer.reader === undefined) continue;
    const stats = buffer.reader.stats(0);
    entries += stats.entries;
    overrun += stats.overrun;
    if (cpu === undefined || cpu === buffer.cpu) cursors.push(new SnapshotRecords(buffer.cpu, buffer.reader.snapshot()));
  }
  const merge = new RecordMerge(cursors);
  const counts: HeaderCounts = { entries, written: entries + overrun, isEmpty: merge.isEmpty };
  const info = { release: release(), latencyNs: 0, cpu: 0, pid: 0, uid: 0 };
  const seq = new TraceSeq();
  seq.text(traceHeader(view, counts, info));
  yield* traceLines(new TracePrinter(view, { annotate: overrun > 0 }), merge, seq);
}

/** trace, of one cpu or of all: what the buffers hold when the first byte is read. Opening it with `>` empties them. */
export const traceFile = (instance: TraceInstance, cpu?: number): TraceFile =>
  textFile({
    mode: 0o640,
    show: () => traceContent(instance, instance.buffers.all(), cpu),
    store() {},
    truncate: () => (isLatencyTracer(instance.tracer) ? instance.maximum.clear(cpu) : instance.buffers.clear(cpu)),
    opened({ read }) {
      if (!read) return undefined;
      const closed = instance.buffers.traces.open(cpu);
      const resume = instance.options['pause-on-trace'] ? instance.buffers.pause() : undefined;
      return () => {
        closed();
        resume?.();
      };
    },
  });
