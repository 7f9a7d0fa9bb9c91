import type { Cell, ColumnType } from '../tables/columns.js';
import { GrowingBytes } from '../tables/growing-bytes.js';
import type { ColumnData, NumberColumn } from '../tables/table-data.js';
import type { RowGroup } from './rows.js';

/** Writes a cell of a column. */
type WriteCell = (writer: GrowingBytes, row: number) => void;

const nullable =
  (data: NumberColumn, write: (writer: GrowingBytes, value: number) => void): WriteCell =>
  (writer, row) => {
    const value = data.values[row]!;
    const isNull = Number.isNaN(value);
    writer.byte(isNull ? 1 : 0);
    if (!isNull) write(writer, value);
  };

const long = (writer: GrowingBytes, value: number): void => writer.i64(Math.round(value));

/** How numbers are written, by types of columns. */
const NUMBERS: Readonly<Record<Exclude<ColumnType, 'text' | 'json'>, (data: NumberColumn) => WriteCell>> = {
  time: (data) => (writer, row) => writer.u32(Math.floor(data.values[row]! / 1e6)),
  number: (data) => nullable(data, long),
  ns: (data) => nullable(data, long),
  real: (data) => nullable(data, (writer, value) => writer.f64(value)),
  flag: (data) => (writer, row) => writer.byte(data.values[row]!),
};

/** A text that all rows have, or that many have: its bytes are made once. */
function wordBytes(word: string): Buffer {
  const writer = new GrowingBytes(64);
  writer.text(word, 'varint');
  return Buffer.from(writer.written);
}

function writeCell(data: ColumnData): WriteCell {
  if ('words' in data) {
    const words = data.words.map(wordBytes);
    return (writer, row) => writer.put(words[data.indexes[row]!]!);
  }
  if ('texts' in data) return (writer, row) => writer.text(data.texts[row]!, 'varint');
  return NUMBERS[data.column.type as keyof typeof NUMBERS](data);
}

const DAY_MS = 86_400_000;

/**
 * The rows of a group as ClickHouse's RowBinary: the columns of `clickhouseColumns` one after the other, row by row.
 * @param batch the cell of that name
 */
export function rowBinary({ date, service, host, rows }: RowGroup, batch: string): Uint8Array {
  const writer = new GrowingBytes(rows.length * 160 + 64);
  const texts = [service, host, batch].map(wordBytes);
  const [ofService, ofHost, ofBatch] = texts as [Buffer, Buffer, Buffer];
  const day = Date.parse(date) / DAY_MS;
  const { values: times } = rows.numbers('time');
  const cells = rows.columns.map(writeCell);
  for (let row = 0; row < rows.length; row++) {
    writer.u16(day);
    writer.put(ofService);
    writer.put(ofHost);
    writer.i64(times[row]!);
    writer.put(ofBatch);
    for (let i = 0; i < cells.length; i++) cells[i]!(writer, row);
  }
  return writer.written;
}

/** Cells as ClickHouse takes them in JSON. */
function jsonCell(cell: Cell, type: ColumnType): Cell {
  if (type === 'time') return Math.floor((cell as number) / 1e6);
  return type === 'flag' ? Number(cell) : cell;
}

/** The rows of a group as JSONEachRow, a line each: for tables with other types than fentry gives them. */
export function jsonEachRow({ date, service, host, rows }: RowGroup, batch: string): string {
  const { values: times } = rows.numbers('time');
  let text = '';
  for (let row = 0; row < rows.length; row++) {
    const cells = rows.columns.map((data) => [data.column.name, jsonCell(data.cell(row), data.column.type)]);
    text += `${JSON.stringify({ date, service, host, time_us: times[row], batch, ...Object.fromEntries(cells) })}\n`;
  }
  return text;
}
