import { ftraceDump } from '../../output/ftrace-dump.js';
import { ConsumedRecords } from '../../output/record-cursor.js';
import { RecordMerge } from '../../output/record-merge.js';
import type { TraceInstance } from './instance.js';
import { traceView } from './trace-file.js';

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
