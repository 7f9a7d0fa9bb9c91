import type { TraceEvent, ValuesOf } from '../../events/define.js';
import { type RecordHeader, recordOf } from '../../events/record-of.js';
import type { RecordWriter } from './record-writer.js';

/** Writes a record from its event's definition: for events that are written seldom. Returns false if it was not recorded. */
export function writeRecord<E extends TraceEvent>(
  writer: RecordWriter,
  ts: number,
  event: E,
  header: RecordHeader,
  values: ValuesOf<E>,
): boolean {
  const record = recordOf(event, header, values);
  const at = writer.reserve(record.length, ts);
  if (at < 0) return false;
  writer.u8.set(record, at * 4);
  writer.commit();
  return true;
}
