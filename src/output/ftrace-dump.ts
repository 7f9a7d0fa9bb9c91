import type { RecordMerge } from './record-merge.js';
import { TracePrinter, traceLines } from './trace-printer.js';
import { TraceSeq } from './trace-seq.js';
import type { TraceView } from './trace-view.js';

const RULE = '---------------------------------\n';

/**
 * What the kernel prints of its buffers when it dies, or when a function with the command `dump` is called (ftrace_dump): the
 * lines of the latency format; for function_graph, its options choose the columns.
 */
export function* ftraceDump(view: TraceView, merge: RecordMerge): Generator<string | Uint8Array> {
  yield 'Dumping ftrace buffer:\n';
  if (merge.isEmpty) {
    yield '   (ftrace buffer empty)\n';
    return;
  }
  yield RULE;
  const options = view.tracer === 'function_graph' ? view.options : { ...view.options, 'latency-format': true };
  yield* traceLines(new TracePrinter({ ...view, options }, { annotate: false }), merge, new TraceSeq());
  yield RULE;
}
