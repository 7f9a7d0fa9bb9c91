import { TRACE_FLAG } from '../../events/ftrace-events.js';
import type { TracerContext } from '../context.js';
import { type EntryFunction, IGNORED } from '../entry.js';
import type { FunctionGraph } from '../function-graph.js';
import { lost } from '../lost.js';
import { writeFunction, writeGraphCall } from './function-record.js';
import type { KeptMaximum, LatencyHost, LatencyTracer } from './latency-tracer.js';
import type { TurnContext, TurnListener } from './turns.js';

const FLAGS: Readonly<Record<TurnContext, number>> = {
  none: TRACE_FLAG.IRQS_OFF,
  hardirq: TRACE_FLAG.IRQS_OFF | TRACE_FLAG.HARDIRQ,
  softirq: TRACE_FLAG.IRQS_OFF | TRACE_FLAG.SOFTIRQ,
};

/** Nobody woke a turn. */
const UNSCHEDULED = { prio: 120, waker: 0 };

/**
 * The irqsoff tracer (kernel/trace/trace_irqsoff.c) of one thread. Interrupts are off while the event loop is held: a
 * turn runs, and nothing else can. Each turn begins and ends with a record of what the loop called back.
 */
export function createIrqsOff(ctx: TracerContext, graph: FunctionGraph, host: LatencyHost): LatencyTracer {
  const { fgraph, clock } = ctx;
  let maximum: KeptMaximum | undefined;
  /** A turn is measured, and its functions are recorded (tracing_cpu). */
  let isMeasuring = false;
  let flags = 0;
  let start = 0;
  let startedAt = 0;
  let endedAt = 0;

  /** As a call in the form that the functions have, so that it stands among them. */
  function record(ip: number, parent: number, now: number): boolean {
    if (ctx.config.displayGraph) return writeGraphCall(ctx.writer, ctx.pid, flags, ip, now);
    return writeFunction(ctx.writer, ctx.pid, flags, ip, parent, now);
  }

  const entry: EntryFunction = (n, depth, self, args) => {
    if (!isMeasuring) return IGNORED;
    if (ctx.config.displayGraph) return graph.entry(n, depth, self, args);
    const { config, addresses } = ctx;
    const parent =
      config.parents && ctx.parent !== 0 ? ctx.parent : depth === 0 ? endedAt : addresses[fgraph.functions[depth - 1]!]!;
    return record(addresses[n]!, parent, clock()) ? 0 : lost(ctx);
  };

  const listener: TurnListener = {
    began(kind, context, now) {
      flags = FLAGS[context];
      start = now;
      startedAt = host.addressOf(kind);
      endedAt = startedAt;
      // Nothing is measured while recording is off, as in the kernel.
      isMeasuring = record(startedAt, 0, now);
    },
    continued(kind, context) {
      flags = FLAGS[context];
      endedAt = host.addressOf(kind);
    },
    isOwn: ctx.isMarker,
    matters: (length) => isMeasuring && maximum!.max.reports(length),
    ended(now) {
      if (!isMeasuring) return;
      isMeasuring = false;
      const latency = now - start;
      if (!record(endedAt, 0, now) || !maximum!.max.reports(latency)) return;
      maximum!.keep({ ...UNSCHEDULED, latency, start, cpu: host.cpu, pid: ctx.pid, startedAt, endedAt });
    },
  };

  return {
    entry,
    start(wanted) {
      maximum = wanted;
      host.turns.start(listener);
    },
    stop() {
      host.turns.stop();
      isMeasuring = false;
    },
    discard() {
      isMeasuring = false;
      host.turns.discard();
    },
  };
}
