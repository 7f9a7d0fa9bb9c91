import type { EventFormat } from '../../../events/define.js';
import { fieldAccess, type RecordBytes, textAt } from '../../../events/read-fields.js';
import type { CpuCursor } from '../cpu-cursor.js';
import type { EventPrinter } from './event-printer.js';
import { putText } from './put.js';

type FieldText = (record: RecordBytes) => string;

/** Prints any event that has no own printer: each field with its value. */
export class FieldsPrinter implements EventPrinter {
  readonly #fields: readonly FieldText[];

  constructor({ fields }: EventFormat) {
    this.#fields = Object.entries(fields).map(([name, field]): FieldText => {
      const { number, array } = fieldAccess(field);
      if (array === undefined) return (record) => `${name}=${number(record)}`;
      if (array.isText) return (record) => `${name}=${textAt(record, array.range(record))}`;
      return (record) => `${name}=${hexOf(record, array.range(record))}`;
    });
  }

  put(out: Uint8Array, at: number, { bytes, word, size }: CpuCursor): number {
    const record = { bytes, at: word, size };
    return putText(out, at, this.#fields.map((text) => text(record)).join(' '));
  }
}

const hexOf = ({ bytes, at }: RecordBytes, [offset, length]: readonly [number, number]): string =>
  Buffer.from(bytes.subarray(at * 4 + offset, at * 4 + offset + length)).toString('hex');
