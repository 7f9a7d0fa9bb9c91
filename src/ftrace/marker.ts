import { TextEncoder } from 'node:util';
import { StringPrototypeCharCodeAt as codeAt } from '../base/primordials.js';
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

/** Bytes of a `print` record before its text: type and pid, and the address. */
const TEXT_AT = 16;
/** The first code that UTF-8 does not have as one byte. */
const FIRST_LONG = 0x80;
const HIGH = 2 ** 32;

/** Whether a text is one byte a character, and no longer than a record takes. */
function isPlain(text: string): boolean {
  const { length } = text;
  if (length > MAX_MARK_BYTES) return false;
  for (let i = 0; i < length; i++) if (codeAt(text, i) >= FIRST_LONG) return false;
  return true;
}

/**
 * Writes the same record as `writeMark` does of a text in UTF-8: the usual one in some hundred nanoseconds, without anything in
 * between.
 */
export function writeTextMark(writer: RecordWriter, text: string, pid: number, ip = TRACING_MARK_WRITE.address): boolean {
  if (!isPlain(text)) return writeMark(writer, new TextEncoder().encode(text), pid, ip);
  const { length } = text;
  const hasNewline = length > 0 && codeAt(text, length - 1) === NEWLINE;
  const size = length + (hasNewline ? 1 : 2);
  const at = writer.reserve(TEXT_AT + size, traceClock());
  if (at < 0) return false;
  const { u32, u8 } = writer;
  u32[at] = FTRACE_EVENTS.print.id;
  u32[at + 1] = pid;
  u32[at + 2] = ip;
  u32[at + 3] = Math.floor(ip / HIGH);
  const start = (at << 2) + TEXT_AT;
  for (let i = 0; i < length; i++) u8[start + i] = codeAt(text, i);
  if (!hasNewline) u8[start + length] = NEWLINE;
  // Whole words, so that no byte is left from what was there before.
  for (let i = size - 1; i < size || (i & 3) !== 0; i++) u8[start + i] = 0;
  writer.commit();
  return true;
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
