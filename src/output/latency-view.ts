import { tracerNamed } from '../ftrace/tracers/tracers.js';
import type { TraceView } from './trace-view.js';

/** How a latency tracer's trace is printed with display-graph: with fixed columns, whatever the options of function_graph say. */
export function latencyGraphView(view: TraceView): TraceView {
  const { graphColumns } = tracerNamed(view.tracer);
  return { ...view, options: { ...view.options, ...graphColumns }, relativeTime: true };
}
