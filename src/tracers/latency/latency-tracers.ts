/** The latency tracers that trace functions: those whose maximum leaves a trace (use_max_tr). */
const LATENCY_TRACERS = ['wakeup_dl', 'wakeup_rt', 'wakeup', 'irqsoff'] as const;
/** One of them. */
export type LatencyTracerName = (typeof LATENCY_TRACERS)[number];

/** Whether a tracer is one of them. */
export const isLatencyTracer = (name: string): name is LatencyTracerName => (LATENCY_TRACERS as readonly string[]).includes(name);
