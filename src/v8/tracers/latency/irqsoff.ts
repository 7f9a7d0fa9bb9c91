import { TRACE_FLAG } from '../../../events/ftrace-events.js';
import { textAddress } from '../../text-region.js';
import { IGNORED } from '../entry.js';
import type { FunctionGraph } from '../function-graph.js';
import type { ThreadTrace } from '../thread-trace.js';
import { CallRecords } from './call-records.js';
import type { KeptMaximum, LatencyNeeds, LatencyTracer } from './latency-tracer.js';
import type { IrqLevel, TurnListener } from './turns.js';

const FLAGS: Readonly<Record<IrqLevel, number>> = {
  none: TRACE_FLAG.IRQS_OFF,
  hardirq: TRACE_FLAG.IRQS_OFF | TRACE_FLAG.HARDIRQ,
  softirq: TRACE_FLAG.IRQS_OFF | TRACE_FLAG.SOFTIRQ,
};

/** What each tracer measures: turns, or the callbacks that they are made of. */
const SECTIONS = {
  irqsoff: { of: 'turns', preemptCount: 0 },
  preemptoff: { of: 'callbacks', preemptCount: 1 },
  // A callback is always part of a turn, so the longest time with one of the two is a turn.
  preemptirqsoff: { of: 'turns', preemptCount: 1 },
} as const;

/** A turn has no waker. */
const UNSCHEDULED = { prio: 120, waker: 0 };

/**
 * The tracers irqsoff, preemptoff and preemptirqsoff (kernel/trace/trace_irqsoff.c) of one thread. Interrupts are off while the
 * event loop is blocked: a turn runs, and nothing else can. Preemption is off while a callback runs: its task is not switched for
 * another. Each section begins and ends with a record of the callback. The stack at the end has only the callback.
 */
export function createIrqsOff(
  ctx: ThreadTrace,
  graph: FunctionGraph,
  needs: LatencyNeeds,
  name: keyof typeof SECTIONS,
): LatencyTracer {
  const { of, preemptCount } = SECTIONS[name];
  const sections = needs[of];
  const calls = new CallRecords(ctx, graph);
  calls.preemptCount = preemptCount;
  let maximum: KeptMaximum | undefined;
  /** A section is measured, and its functions are recorded (tracing_cpu). */
  let isMeasuring = false;
  let start = 0;
  let startedAt = 0;

  function measuresNothing(): void {
    isMeasuring = false;
    if (maximum !== undefined) maximum.max.runningSince = 0;
  }

  const listener: TurnListener = {
    began(kind, context, now) {
      calls.flags = FLAGS[context];
      start = now;
      startedAt = needs.addressOf(kind);
      calls.outermost = startedAt;
      // Nothing is measured while recording is off, as in the kernel.
      isMeasuring = calls.writePlace(startedAt, now);
      maximum!.max.runningSince = isMeasuring ? now : 0;
    },
    continued(kind, context) {
      calls.flags = FLAGS[context];
      calls.outermost = needs.addressOf(kind);
    },
    matters: (length) => isMeasuring && maximum!.max.reports(length),
    ended(now) {
      if (!isMeasuring) return;
      measuresNothing();
      const latency = now - start;
      const endedAt = calls.outermost;
      if (!calls.writePlace(endedAt, now) || !maximum!.max.reports(latency)) return;
      calls.writeStack(endedAt, now);
      const places = { startedAt: textAddress(startedAt), endedAt: textAddress(endedAt) };
      maximum!.keep({ ...UNSCHEDULED, ...places, latency, start, cpu: needs.cpu, pid: ctx.pid });
    },
  };

  return {
    entry: (n, depth, self, args) => (isMeasuring ? calls.entry(n, depth, self, args) : IGNORED),
    start(wanted) {
      maximum = wanted;
      sections.start(listener);
    },
    stop() {
      sections.stop();
      measuresNothing();
    },
    discard() {
      measuresNothing();
      sections.discard();
    },
    look(since) {
      if (isMeasuring && start === since) ctx.stackTrace(ctx);
    },
  };
}
