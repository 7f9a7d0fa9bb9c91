import { closeSync, openSync } from 'node:fs';
import { say } from '../../base/say.js';
import { writeFully } from '../../base/write-fully.js';
import { ConsumedRecords } from '../../output/record-cursor.js';
import { RecordMerge } from '../../output/record-merge.js';
import { TracePrinter, traceLines } from '../../output/trace-printer.js';
import { TraceSeq } from '../../output/trace-seq.js';
import type { TraceView } from '../../output/trace-view.js';
import type { TraceInstance } from './instance.js';
import { traceView } from './trace-file.js';

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

/**
 * Turns tracing off and consumes the buffers; returns the text that the kernel prints when it dies (ftrace_dump).
 * @param cpu only that cpu's buffer; absent: all
 */
export function dumpInstance(instance: TraceInstance, cpu?: number): Iterable<string | Uint8Array> {
  void instance.setTracingOn(false);
  const cursors = instance.buffers
    .all(cpu)
    .flatMap((buffer) => (buffer.reader === undefined ? [] : [new ConsumedRecords(buffer.cpu, buffer.reader)]));
  return ftraceDump(traceView(instance), new RecordMerge(cursors));
}

const STDERR = 2;

/**
 * Writes a dump to stderr, or appends it to a file. The program is dying: an error is only reported.
 * @param path `%p` in it is the process's id; undefined is stderr
 */
export function writeDump(dump: Iterable<string | Uint8Array>, path: string | undefined): void {
  try {
    const fd = path === undefined ? STDERR : openSync(path.replaceAll('%p', String(process.pid)), 'a', 0o600);
    try {
      for (const piece of dump) writeFully(fd, Buffer.from(piece));
    } finally {
      if (fd !== STDERR) closeSync(fd);
    }
  } catch (error) {
    say(`the buffers could not be dumped: ${(error as Error).message}`);
  }
}
