import type { TraceView } from './trace-view.js';

/** The graph's columns under irqsoff (GRAPH_TRACER_FLAGS). */
const IRQSOFF_COLUMNS = {
  'funcgraph-overrun': false,
  'funcgraph-cpu': true,
  'funcgraph-overhead': false,
  'funcgraph-proc': true,
  'funcgraph-duration': true,
  'funcgraph-abstime': false,
  'funcgraph-irqs': false,
  'funcgraph-tail': false,
} as const;
const WAKEUP_COLUMNS = { ...IRQSOFF_COLUMNS, 'funcgraph-overhead': true, 'funcgraph-irqs': true } as const;

/** How a latency tracer's trace is printed with display-graph: with fixed columns, whatever the options of function_graph say. */
export function latencyGraphView(view: TraceView): TraceView {
  const columns = view.tracer === 'irqsoff' ? IRQSOFF_COLUMNS : WAKEUP_COLUMNS;
  return { ...view, options: { ...view.options, ...columns }, relativeTime: true };
}
