import type { EventFormat } from '../events/define.js';

/** A record as the merge gives it: where its payload is, when and on which cpu it was written. */
export interface TraceRecord {
  readonly words: Uint32Array;
  readonly bytes: Uint8Array;
  /** Index of the payload in `words`; four times that in `bytes`. */
  readonly at: number;
  /** Bytes of the payload. */
  readonly size: number;
  /** Nanoseconds. */
  readonly ts: number;
  readonly cpu: number;
}

/** The fields of the header that every record has: type, common_flags, common_preempt_count, common_pid. */
export const typeOf = (record: TraceRecord): number => record.words[record.at]! & 0xffff;
export const flagsOf = (record: TraceRecord): number => (record.words[record.at]! >>> 16) & 0xff;
export const preemptCountOf = (record: TraceRecord): number => record.words[record.at]! >>> 24;
export const pidOf = (record: TraceRecord): number => record.words[record.at + 1]! | 0;

/** A 64-bit field's number; exact below 2^53. */
export const number64 = (words: Uint32Array, at: number): number => words[at]! + words[at + 1]! * 2 ** 32;

/** The offset of a field in its record, in 32-bit words. Throws an Error if the event has no such field at a word. */
export function fieldWord(format: EventFormat, name: string): number {
  const field = format.fields[name];
  if (field === undefined) throw new Error(`event ${format.name} has no field ${name}`);
  if (field.offset % 4 !== 0)
    throw new Error(`field ${name} of event ${format.name} stands at byte ${field.offset}, between words`);
  return field.offset / 4;
}

/** The NUL-terminated text between two byte offsets of a record, as [start, length] in `record.bytes`. */
export function textRange(record: TraceRecord, offset: number): readonly [start: number, length: number] {
  const start = record.at * 4 + offset;
  const end = record.at * 4 + record.size;
  let at = start;
  while (at < end && record.bytes[at] !== 0) at++;
  return [start, at - start];
}

/** The NUL-terminated text from a byte offset to the end of a record, as UTF-8. */
export function textBehind(record: TraceRecord, offset: number): string {
  const [start, length] = textRange(record, offset);
  const { buffer, byteOffset } = record.bytes;
  return Buffer.from(buffer, byteOffset + start, length).toString('utf8');
}
