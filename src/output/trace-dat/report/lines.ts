import { typeOf } from '../../record.js';
import type { TimeColumn } from './clock.js';
import { earliest, type PrintedBuffer } from './printed-buffer.js';
import { type NamedPrinter, unknownPrinter } from './printers.js';
import { putBytes, putText } from './put.js';
import type { ReportSink } from './report-options.js';

/** Bytes of lines that are collected before they go to the sink. */
const OUT_BYTES = 1 << 20;
/**
 * How much the longest line may need for each byte of a sub-buffer: the 8 bytes of a stack frame become a name and an address.
 */
const LINE_FACTOR = 160;

const NEWLINE = 10;
const COLON = 58;

/** What follows the task and the CPU on a line. */
export interface LineColumns {
  readonly time: TimeColumn;
  /** By common_type; unknown types are added when they occur. */
  readonly printers: (NamedPrinter | undefined)[];
}

/**
 * Prints a line for each event of the buffers, after `head`. Returns the number of events.
 * @param subbufBytes limits the length of an event
 */
export function printLines(
  buffers: readonly PrintedBuffer[],
  columns: LineColumns,
  subbufBytes: number,
  head: string,
  sink: ReportSink,
): number {
  const { time, printers } = columns;
  const out = Buffer.allocUnsafe(OUT_BYTES + LINE_FACTOR * subbufBytes);
  let at = putText(out, 0, head);
  let events = 0;
  for (let buffer = earliest(buffers); buffer !== undefined; buffer = earliest(buffers)) {
    const { merge } = buffer;
    merge.take();
    if (at > OUT_BYTES) {
      if (!sink.write(out.subarray(0, at))) return events;
      at = 0;
    }
    events++;
    at = putBytes(out, at, buffer.label);
    if (merge.lost !== 0) at = putText(out, at, missedLine(merge.cpu, merge.lost));
    const type = typeOf(merge);
    const { name, printer } = (printers[type] ??= unknownPrinter(type));
    at = buffer.prefix.put(out, at, merge);
    at = time.put(out, at, merge.ts);
    out[at] = COLON;
    at = putBytes(out, at + 1, name);
    at = printer.put(out, at, merge);
    if (out[at - 1] !== NEWLINE) out[at++] = NEWLINE;
  }
  sink.write(out.subarray(0, at));
  return events;
}

function missedLine(cpu: number, missed: number): string {
  return missed > 0 ? `CPU:${cpu} [${missed} EVENTS DROPPED]\n` : `CPU:${cpu} [EVENTS DROPPED]\n`;
}
