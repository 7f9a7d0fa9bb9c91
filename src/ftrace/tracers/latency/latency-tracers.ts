import { functionGraph } from '../function-graph.js';
import type { Tracer } from '../tracer.js';

/** The longest time for which a thread's event loop was held up (kernel/trace/trace_irqsoff.c). */
export const irqsoff = {
  name: 'irqsoff',
  callback: 'irqsoff_tracer_call',
  // A buffer that refuses new records would keep the wrong ones of a latency; one that is read while another latency occurs would
  // show both.
  forces: ['overwrite', 'latency-format', 'pause-on-trace'],
  maximum: 'trace',
  prints: 'lines',
  switches: functionGraph.switches,
  // GRAPH_TRACER_FLAGS
  graphColumns: {
    'funcgraph-overrun': false,
    'funcgraph-cpu': true,
    'funcgraph-overhead': false,
    'funcgraph-proc': true,
    'funcgraph-duration': true,
    'funcgraph-abstime': false,
    'funcgraph-irqs': false,
    'funcgraph-tail': false,
  },
} as const satisfies Tracer;

/**
 * The longest callback of a thread (kernel/trace/trace_irqsoff.c): until it returns, no other task runs. A turn of the event
 * loop, which irqsoff measures, is one callback or many.
 */
export const preemptoff = { ...irqsoff, name: 'preemptoff' } as const satisfies Tracer;

/** The longest time with one of the two. A callback is always part of a turn, so it is the longest turn. */
export const preemptirqsoff = { ...irqsoff, name: 'preemptirqsoff' } as const satisfies Tracer;

const WAKEUP = {
  callback: 'wakeup_tracer_call',
  forces: ['overwrite', 'latency-format'],
  maximum: 'trace',
  prints: 'lines',
  switches: irqsoff.switches,
  graphColumns: { ...irqsoff.graphColumns, 'funcgraph-overhead': true, 'funcgraph-irqs': true },
} as const;

/** The longest time that a task waited to run after it was woken (kernel/trace/trace_sched_wakeup.c): of all tasks ... */
export const wakeup = { name: 'wakeup', ...WAKEUP } as const satisfies Tracer;
/** ... of those in real time ... */
export const wakeupRt = { name: 'wakeup_rt', ...WAKEUP } as const satisfies Tracer;
/** ... and of those with a deadline. */
export const wakeupDl = { name: 'wakeup_dl', ...WAKEUP } as const satisfies Tracer;
