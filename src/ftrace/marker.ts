import { FTRACE_EVENTS } from '../events/ftrace-events.js';
import { textOf } from '../events/hist/map-text.js';
import { traceClock } from '../ring-buffer/index.js';
import { TRACING_MARK_WRITE } from './symbols.js';
import type { RecordWriter } from './tracers/record-writer.js';
import { writeRecord } from './tracers/write-record.js';

/** The most bytes of text in one `print` record (TRACE_BUF_SIZE). */
export const MAX_MARK_BYTES = 1024;
/** The most bytes in one `raw_data` record, with its id (RAW_DATA_MAX_SIZE). */
export const MAX_RAW_MARK_BYTES = 3072;
/** Bytes of a raw record's id. */
export const RAW_ID_BYTES = 4;

const NEWLINE = 10;

/**
 * Writes a `print` record, as tracing_mark_write() does: a text without a newline at its end gets one, a longer one is cut.
 * Returns false if it was not recorded: tracing is off, or the buffer is full and must not be overwritten.
 * @param ip the address of what printed it, for trace_printk()
 */
export function writeMark(writer: RecordWriter, text: Uint8Array, pid: number, ip = TRACING_MARK_WRITE.address): boolean {
  const kept = text.subarray(0, MAX_MARK_BYTES);
  const buf = new Uint8Array(kept.length + (kept.at(-1) === NEWLINE ? 1 : 2));
  buf.set(kept);
  if (buf.length > kept.length + 1) buf[kept.length] = NEWLINE;
  return writeRecord(writer, traceClock(), FTRACE_EVENTS.print, { pid }, { ip, buf });
}

/** The text of a mark as the triggers of ftrace:print see it: without the newline that its record may get. */
export const textOfMark = (text: Uint8Array): string => textOf(text, 0, Math.min(text.length, MAX_MARK_BYTES));

/**
 * Writes a `raw_data` record, as tracing_mark_raw_write() does.
 * @param bytes the id (32 bits, the machine's byte order) and what follows it, together at most MAX_RAW_MARK_BYTES
 */
export function writeRawMark(writer: RecordWriter, bytes: Uint8Array, pid: number): boolean {
  const id = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  return writeRecord(writer, traceClock(), FTRACE_EVENTS.raw_data, { pid }, { id, buf: bytes.subarray(RAW_ID_BYTES) });
}
