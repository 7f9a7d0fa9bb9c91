import type { RecordMerge } from '../../record-merge.js';
import { type StoredText, storedText } from '../../stored-text.js';
import type { TracePrinter } from '../../trace-printer.js';
import { TraceSeq } from '../../trace-seq.js';
import type { ReportSink } from './report-options.js';

/** Bytes of lines that are collected before they go to the sink. */
const CHUNK_BYTES = 1 << 20;

/** A buffer whose events are printed: the top level's, or an instance's. */
export interface PrintedBuffer {
  readonly merge: RecordMerge;
  /** The label of a buffer; empty if there is only one. */
  readonly label: StoredText;
}

/** The buffer whose next event is the earliest; of equal ones the first. Undefined when all are at their end. */
function earliest(buffers: readonly PrintedBuffer[]): PrintedBuffer | undefined {
  if (buffers.length === 1) return buffers[0]!.merge.isEmpty ? undefined : buffers[0];
  let best: PrintedBuffer | undefined;
  let bestTime = 0;
  for (const buffer of buffers) {
    const time = buffer.merge.nextTime();
    if (time === undefined || (best !== undefined && time >= bestTime)) continue;
    best = buffer;
    bestTime = time;
  }
  return best;
}

/** The labels of buffers by their names, all of one width: `  foo: `, and blanks for the top level. */
export function bufferLabels(names: readonly string[]): StoredText[] {
  if (names.length === 1) return [storedText('')];
  const width = Math.max(...names.map((name) => Buffer.byteLength(name)));
  return names.map((name) => {
    const blanks = ' '.repeat(width - Buffer.byteLength(name));
    return storedText(name === '' ? `${blanks}  ` : `${blanks}${name}: `);
  });
}

/** Prints a line for each event of the buffers, after `head`. Returns the number of events. */
export function printLines(buffers: readonly PrintedBuffer[], printer: TracePrinter, head: string, sink: ReportSink): number {
  const seq = new TraceSeq(2 * CHUNK_BYTES);
  seq.text(head);
  let events = 0;
  for (let buffer = earliest(buffers); buffer !== undefined; buffer = earliest(buffers)) {
    if (seq.length > CHUNK_BYTES) {
      if (!sink.write(seq.bytes.subarray(0, seq.length))) return events;
      seq.length = 0;
    }
    events++;
    buffer.merge.take();
    seq.put(buffer.label);
    printer.print(seq, buffer.merge);
  }
  sink.write(seq.bytes.subarray(0, seq.length));
  return events;
}
