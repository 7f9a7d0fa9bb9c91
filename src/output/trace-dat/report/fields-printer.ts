import type { ParsedField, ParsedFormat } from '../../../events/format-parse.js';
import type { CpuCursor } from '../cpu-cursor.js';
import type { EventPrinter } from './event-printer.js';
import { putText } from './put.js';

/** Any event that has no printer of its own: each field with its value. */
export class FieldsPrinter implements EventPrinter {
  readonly #fields: readonly ParsedField[];

  constructor(format: ParsedFormat) {
    this.#fields = [...format.fields.values()];
  }

  put(out: Uint8Array, at: number, cursor: CpuCursor): number {
    const record = Buffer.from(cursor.bytes.buffer, cursor.bytes.byteOffset + cursor.at, cursor.size);
    return putText(out, at, this.#fields.map((field) => `${field.name}=${valueText(field, record)}`).join(' '));
  }
}

function valueText(field: ParsedField, record: Buffer): string {
  const { offset, size } = field;
  if (field.type.startsWith('__data_loc') && offset + 4 <= record.length) {
    const place = record.readUInt32LE(offset);
    return cText(record, place & 0xffff, place >>> 16);
  }
  if (field.elements !== undefined && /\bchar\b/.test(field.type))
    return cText(record, offset, size === 0 ? record.length : size);
  if (offset + size > record.length || ![1, 2, 4, 8].includes(size)) {
    return record.subarray(offset, size === 0 ? record.length : offset + size).toString('hex');
  }
  if (size === 8) return String(field.signed ? record.readBigInt64LE(offset) : record.readBigUInt64LE(offset));
  return String(field.signed ? record.readIntLE(offset, size) : record.readUIntLE(offset, size));
}

/** A text that ends at its NUL or at `length` bytes. */
function cText(record: Buffer, offset: number, length: number): string {
  const bytes = record.subarray(offset, offset + length);
  const end = bytes.indexOf(0);
  return bytes.toString('utf8', 0, end < 0 ? bytes.length : end);
}
