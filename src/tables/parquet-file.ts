import { Buffer } from 'node:buffer';
import { snappyCompress } from 'hyparquet-writer/src/snappy.js';
import { VERSION } from '../base/version.js';
import type { Column, ColumnType } from './columns.js';
import { GrowingBytes } from './growing-bytes.js';
import { ENCODING, type EncodedColumn, encodeColumn } from './parquet-pages.js';
import type { TableData } from './table-data.js';
import { ThriftWriter } from './thrift-writer.js';

/** How Parquet numbers what it has. */
const PHYSICAL = { boolean: 0, int64: 2, double: 5, bytes: 6 } as const;
const CONVERTED = { utf8: 0, micros: 10 } as const;
const PAGE = { data: 0, dictionary: 2 } as const;
const SNAPPY = 1;
const MAGIC = Buffer.from('PAR1');

/** How a type is stored. Times are microseconds, which all readers know, Spark's and Athena's too. */
const STORED: Readonly<
  Record<ColumnType, { readonly physical: number; readonly converted?: number; readonly hasNulls: boolean }>
> = {
  time: { physical: PHYSICAL.int64, converted: CONVERTED.micros, hasNulls: true },
  text: { physical: PHYSICAL.bytes, converted: CONVERTED.utf8, hasNulls: false },
  json: { physical: PHYSICAL.bytes, converted: CONVERTED.utf8, hasNulls: false },
  number: { physical: PHYSICAL.int64, hasNulls: true },
  ns: { physical: PHYSICAL.int64, hasNulls: true },
  real: { physical: PHYSICAL.double, hasNulls: true },
  flag: { physical: PHYSICAL.boolean, hasNulls: false },
};

/** What the end of the file says of a column's values in a group of rows. */
interface Chunk {
  readonly column: Column;
  readonly encoded: EncodedColumn;
  readonly values: number;
  readonly dictionaryAt: number | undefined;
  readonly dataAt: number;
  readonly bytes: number;
  readonly uncompressed: number;
}

interface Group {
  readonly rows: number;
  readonly chunks: readonly Chunk[];
}

/**
 * Writes a Parquet file: Snappy, plain values and dictionaries, which all readers know. Groups of rows go to `write` one after
 * the other, so that memory does not grow with the file.
 */
export class ParquetFile {
  readonly #columns: readonly Column[];
  readonly #write: (bytes: Uint8Array) => void;
  readonly #groups: Group[] = [];
  #length = 0;

  constructor(columns: readonly Column[], write: (bytes: Uint8Array) => void) {
    this.#columns = columns;
    this.#write = write;
    this.#put(MAGIC);
  }

  /** Writes the rows of a table, whose columns are the file's. */
  add(table: TableData): void {
    const rows = table.length;
    if (rows === 0) return;
    const chunks = table.columns.map((data) => {
      const encoded = encodeColumn(data, rows);
      const from = this.#length;
      let uncompressed = 0;
      const { dictionary } = encoded;
      if (dictionary !== undefined) {
        uncompressed += this.#page(PAGE.dictionary, dictionary.bytes, (header) =>
          header.struct(7, (page) => page.i32(1, dictionary.count).i32(2, ENCODING.plain)),
        );
      }
      const dataAt = this.#length;
      uncompressed += this.#page(PAGE.data, encoded.data, (header) =>
        header.struct(5, (page) => page.i32(1, rows).i32(2, encoded.encoding).i32(3, ENCODING.rle).i32(4, ENCODING.rle)),
      );
      const bytes = this.#length - from;
      const { column } = data;
      const dictionaryAt = dictionary === undefined ? undefined : from;
      return { column, encoded: withoutBytes(encoded), values: rows, dictionaryAt, dataAt, bytes, uncompressed };
    });
    this.#groups.push({ rows, chunks });
  }

  /** Writes the end, without which it is no file. */
  finish(): void {
    const metadata = this.#metadata();
    const end = new GrowingBytes(metadata.length + 8);
    end.put(metadata);
    end.u32(metadata.length);
    end.put(MAGIC);
    this.#put(end.written);
  }

  /** Returns the bytes that it would have without compression. */
  #page(type: number, bytes: Uint8Array, describe: (header: ThriftWriter) => void): number {
    const compressed = snappyCompress(bytes);
    const header = new ThriftWriter().i32(1, type).i32(2, bytes.length).i32(3, compressed.length);
    describe(header);
    const start = header.end().bytes;
    this.#put(start);
    this.#put(compressed);
    return start.length + bytes.length;
  }

  #put(bytes: Uint8Array): void {
    this.#write(bytes);
    this.#length += bytes.length;
  }

  #metadata(): Uint8Array {
    const rows = this.#groups.reduce((sum, group) => sum + group.rows, 0);
    return new ThriftWriter()
      .i32(1, 1)
      .list(2, 'struct', [undefined, ...this.#columns], (element, column) =>
        describeColumn(element, column, this.#columns.length),
      )
      .i64(3, rows)
      .list(4, 'struct', this.#groups, (writer, group) => {
        const bytes = group.chunks.reduce((sum, { uncompressed }) => sum + uncompressed, 0);
        writer.list(1, 'struct', group.chunks, describeChunk).i64(2, bytes).i64(3, group.rows);
      })
      .binary(6, `fentry version ${VERSION}`)
      .end().bytes;
  }
}

/** What must be kept of a column that is written. */
const withoutBytes = (encoded: EncodedColumn): EncodedColumn => ({ ...encoded, dictionary: undefined, data: MAGIC });

/** @param column undefined: the root, which has all of them */
function describeColumn(element: ThriftWriter, column: Column | undefined, count: number): void {
  if (column === undefined) {
    element.binary(4, 'root').i32(5, count);
    return;
  }
  const { physical, converted, hasNulls } = STORED[column.type];
  element
    .i32(1, physical)
    .i32(3, hasNulls ? 1 : 0)
    .binary(4, column.name);
  if (converted === undefined) return;
  element.i32(6, converted);
  element.struct(10, (logical) => {
    if (converted === CONVERTED.utf8) logical.struct(1, () => {});
    else logical.struct(8, (time) => time.flag(1, true).struct(2, (unit) => unit.struct(2, () => {})));
  });
}

function describeChunk(
  writer: ThriftWriter,
  { column, encoded, values, dictionaryAt, dataAt, bytes, uncompressed }: Chunk,
): void {
  const encodings = [encoded.encoding, ENCODING.rle, ...(dictionaryAt === undefined ? [] : [ENCODING.plain])];
  writer.i64(2, dictionaryAt ?? dataAt).struct(3, (chunk) => {
    chunk
      .i32(1, STORED[column.type].physical)
      .list(2, 'i32', encodings)
      .list(3, 'binary', [column.name])
      .i32(4, SNAPPY)
      .i64(5, values)
      .i64(6, uncompressed)
      .i64(7, bytes)
      .i64(9, dataAt);
    if (dictionaryAt !== undefined) chunk.i64(11, dictionaryAt);
    chunk.struct(12, (statistics) => {
      statistics.i64(3, encoded.nulls);
      const { range } = encoded;
      if (range === undefined) return;
      const [least, greatest] = range.map((value) => numberBytes(value, column.type));
      statistics.binary(5, greatest!).binary(6, least!);
    });
  });
}

function numberBytes(value: number, type: ColumnType): Uint8Array {
  const writer = new GrowingBytes(8);
  if (type === 'real') writer.f64(value);
  else writer.i64(value);
  return writer.written;
}
