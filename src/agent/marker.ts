import { MAX_MARK_BYTES } from '../core/mark-limits.js';
import { TRACING_MARK_WRITE } from '../core/symbols.js';
import { FTRACE_EVENTS } from '../events/ftrace-events.js';
import { traceClock } from '../ring-buffer/index.js';
import type { RecordWriter } from '../tracers/record-writer.js';

const { print, raw_data: rawData } = FTRACE_EVENTS;

const NEWLINE = 10;

/**
 * Writes a `print` record, as tracing_mark_write() does: a text without a newline at its end gets one, a longer one is cut.
 * False when it was not recorded: tracing is off, or the buffer is full and must not be overwritten.
 */
export function writeMark(writer: RecordWriter, high: number, text: Uint8Array, pid: number): boolean {
  const kept = text.subarray(0, MAX_MARK_BYTES);
  const newline = kept.at(-1) === NEWLINE ? 0 : 1;
  const { ip, buf } = print.fields;
  const at = writer.reserve(buf.offset + kept.length + newline + 1, traceClock());
  if (at < 0) return false;
  const { u32, u8 } = writer;
  u32[at] = print.id;
  u32[at + 1] = pid;
  u32[at + (ip.offset >> 2)] = TRACING_MARK_WRITE.low;
  u32[at + (ip.offset >> 2) + 1] = high;
  const start = at * 4 + buf.offset;
  u8.set(kept, start);
  u8.fill(0, start + kept.length, (start + kept.length + newline + 4) & ~3);
  if (newline === 1) u8[start + kept.length] = NEWLINE;
  writer.commit();
  return true;
}

/**
 * Writes a `raw_data` record, as tracing_mark_raw_write() does.
 * @param bytes the id (32 bits, the machine's byte order) and what follows it, together at most MAX_RAW_MARK_BYTES
 */
export function writeRawMark(writer: RecordWriter, bytes: Uint8Array, pid: number): boolean {
  const { id } = rawData.fields;
  const at = writer.reserve(id.offset + bytes.length, traceClock());
  if (at < 0) return false;
  const { u32, u8 } = writer;
  u32[at] = rawData.id;
  u32[at + 1] = pid;
  const start = at * 4 + id.offset;
  u8.set(bytes, start);
  u8.fill(0, start + bytes.length, (start + bytes.length + 3) & ~3);
  writer.commit();
  return true;
}
