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
