import { TRACING_MARK_WRITE } from '../core/symbols.js';
import { FTRACE_EVENTS } from '../events/ftrace-events.js';
import { type RingBufferWriter, traceClock } from '../ring-buffer/index.js';

const { id, fields } = FTRACE_EVENTS.print;
/** The longest text of one record, its final NUL included. */
const MAX_TEXT = 1024;

/** Writes a `print` record, as tracing_mark_write() does: a text without a newline at its end gets one. */
export function writeMark(writer: RingBufferWriter, high: number, text: Uint8Array, pid: number): void {
  const kept = text.subarray(0, MAX_TEXT - 2);
  const newline = kept.at(-1) === 10 ? 0 : 1;
  const at = writer.reserve(fields.buf.offset + kept.length + newline + 1, traceClock());
  if (at < 0) return;
  const { u32, u8 } = writer;
  u32[at] = id;
  u32[at + 1] = pid;
  u32[at + (fields.ip.offset >> 2)] = TRACING_MARK_WRITE.low;
  u32[at + (fields.ip.offset >> 2) + 1] = high;
  const start = at * 4 + fields.buf.offset;
  u8.set(kept, start);
  u8.fill(0, start + kept.length, (start + kept.length + newline + 4) & ~3);
  if (newline === 1) u8[start + kept.length] = 10;
  writer.commit();
}
