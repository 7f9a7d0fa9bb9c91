import { countShared } from '../../../base/shared-memory.js';
import { type LatencyRecord, MaxLatency, numbersOf } from '../../../ftrace/tracers/latency/max-latency.js';
import type { TracerConfig } from '../../../ftrace/tracers/tracer-config.js';
import { isLatencyTracer, type LatencyTracerName } from '../../../ftrace/tracers/tracers.js';
import { ClockedWriter, storeSnapshot, takeSnapshotOf } from '../../../ring-buffer/index.js';
import { type EntryFunction, IGNORED } from '../entry.js';
import type { FunctionGraph } from '../function-graph.js';
import type { ThreadTrace } from '../thread-trace.js';
import { createIrqsOff } from './irqsoff.js';
import {
  type KeptMaximum,
  type LatencyNeeds,
  type LatencyTracer,
  WAKEUP_CLASSES,
  type WakeupTracerName,
} from './latency-tracer.js';
import { createWakeup } from './wakeup.js';

/** The latency tracers of one thread; each is created when it is first chosen. */
export interface LatencyTracers {
  /** The callback of a tracer's ops. */
  entryOf(name: LatencyTracerName): EntryFunction;
  /** Starts, stops or changes over as the thread's configuration says. */
  configure(config: TracerConfig): void;
  discard(): void;
  look(since: number): void;
}

const isWakeup = (name: LatencyTracerName): name is WakeupTracerName => Object.hasOwn(WAKEUP_CLASSES, name);

/** Creates the latency tracers of a thread. */
export function createLatencyTracers(ctx: ThreadTrace, graph: FunctionGraph, needs: LatencyNeeds): LatencyTracers {
  const made: Partial<Record<LatencyTracerName, LatencyTracer>> = {};
  let running: LatencyTracer | undefined;
  let measurement: number | undefined;
  let trace: SharedArrayBuffer | undefined;

  const make = (name: LatencyTracerName): LatencyTracer =>
    isWakeup(name) ? createWakeup(ctx, graph, needs, WAKEUP_CLASSES[name]) : createIrqsOff(ctx, graph, needs, name);

  function keptMaximum(memory: SharedArrayBuffer): KeptMaximum {
    const max = new MaxLatency(memory);
    return { max, keep: (record) => max.report(record.latency, (isAdded) => store(record, isAdded)) };
  }

  /**
   * Copies the events in the buffer since the latency began: this is the buffer's writer, so nothing is written during the
   * copy.
   */
  function store(record: LatencyRecord, isAdded: boolean): boolean {
    const ring = ctx.writer.u32.buffer;
    if (trace === undefined || !(ring instanceof SharedArrayBuffer)) return false;
    // A clock that does not count time does not say when that was: then everything is kept.
    const since = ctx.writer instanceof ClockedWriter ? 0 : record.start;
    return storeSnapshot(trace, takeSnapshotOf(ring), since, { isAdded, label: numbersOf(record) });
  }

  return {
    entryOf: (name) => (n, depth, self, args) => made[name]?.entry(n, depth, self, args) ?? IGNORED,

    configure({ tracer, latency }) {
      const wanted = latency !== undefined && isLatencyTracer(tracer) ? (made[tracer] ??= make(tracer)) : undefined;
      trace = latency && countShared(latency.trace);
      if (wanted === running && latency?.measurement === measurement) return;
      running?.stop();
      running = wanted;
      measurement = latency?.measurement;
      if (latency !== undefined) wanted?.start(keptMaximum(latency.max));
    },

    discard: () => running?.discard(),
    look: (since) => running?.look?.(since),
  };
}
