import { RecordPlace } from './record-cursor.js';
import { RecordMerge } from './record-merge.js';
import { TracePrinter } from './trace-printer.js';
import { TraceSeq } from './trace-seq.js';
import type { TraceView } from './trace-view.js';

/** Digits of a time stamp's seconds, and of its fraction. */
const SECONDS = 5;
const MICROSECONDS = 6;

/** The one record that it is made of. */
class OneRecord extends RecordPlace {
  #isTaken = false;

  advance(): boolean {
    const isFirst = !this.#isTaken;
    this.#isTaken = true;
    return isFirst;
  }
}

/** The time stamp that the kernel's console puts before a message. `ts` in nanoseconds. */
function timeStamp(ts: number): string {
  const microseconds = Math.floor(ts / 1000);
  const seconds = String(Math.floor(microseconds / 1e6)).padStart(SECONDS);
  return `[${seconds}.${String(microseconds % 1e6).padStart(MICROSECONDS, '0')}] `;
}

/**
 * The line of a record as the kernel prints it on its console (output_printk): a time stamp, and what stands in `trace` behind
 * the time there.
 * @param ts when it was written, in nanoseconds
 */
export function consoleLine(view: TraceView, cpu: number, record: Uint8Array, ts: number): Uint8Array {
  const one = new OneRecord(cpu);
  one.bytes = record;
  one.words = new Uint32Array(record.buffer, record.byteOffset, record.length >>> 2);
  one.size = record.length;
  one.ts = ts;
  const merge = new RecordMerge([one]);
  merge.take();
  const options = { ...view.options, 'context-info': false, annotate: false, raw: false, hex: false, bin: false };
  const seq = new TraceSeq(1024);
  seq.text(timeStamp(ts));
  new TracePrinter({ ...view, options }, { annotate: false }).print(seq, merge);
  return seq.take();
}
