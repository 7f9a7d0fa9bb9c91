import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parquetReadObjects } from 'hyparquet';
import { columnsOf, TABLE_NAMES, type TableName } from './columns.js';
import { ParquetFile } from './parquet-file.js';
import { TableData } from './table-data.js';

/** What hyparquet reads of tables that are written as groups of one file. */
async function readBack(name: TableName, ...groups: readonly TableData[]): Promise<Record<string, unknown>[]> {
  const pieces: Uint8Array[] = [];
  const file = new ParquetFile(columnsOf(name, 'fleet'), (bytes) => pieces.push(bytes.slice()));
  for (const group of groups) file.add(group);
  file.finish();
  const bytes = Buffer.concat(pieces);
  return parquetReadObjects({ file: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer });
}

test('every table is stored with its types, and what is not known is null', async () => {
  const samples = { time: 1_795_000_000_000_123, text: 'ü', json: '{"a":1}', number: -7, ns: 2 ** 52, real: 0.25, flag: true };
  for (const name of TABLE_NAMES) {
    const table = new TableData(name, 'fleet');
    table.add(Object.fromEntries(table.columns.map(({ column }) => [column.name, samples[column.type]])));
    table.add({});
    const [first, second] = await readBack(name, table);
    for (const { name: column, type } of columnsOf(name, 'fleet')) {
      const stored = { ...samples, time: new Date(1_795_000_000_000), number: -7n, ns: BigInt(2 ** 52) }[type];
      const absent = { time: null, number: null, ns: null, real: null, text: '', json: '', flag: false }[type];
      assert.deepEqual([first![column], second![column] ?? null], [stored, absent], `${name}.${column}`);
    }
  }
});

test('values of every kind come back: few and many different ones, runs, nulls, long texts', async () => {
  let seed = 1;
  const random = (): number => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
  for (const rows of [1, 7, 8, 9, 63, 1000, 5000]) {
    const tables = [new TableData('calls', 'fleet'), new TableData('calls', 'fleet')];
    const expected: Record<string, unknown>[] = [];
    for (const table of tables) {
      for (let i = 0; i < rows; i++) {
        const row = {
          time: 1_795_000_000_000_000 + Math.floor(random() * 1e9) * 1000,
          clock: Math.floor(random() * 2 ** 52),
          duration: random() < 0.3 ? null : Math.floor(random() * 1e6),
          self: i < rows / 2 ? null : 5,
          depth: Math.floor(i / 100),
          line: Math.floor(random() * 3000),
          function: `f${Math.floor(random() * 700)}`,
          package: 'p'.repeat(i % 300),
          file: random() < 0.5 ? 'ü€😀' : '',
          own: random() < 0.5,
          suspended: i % 100 === 0,
        };
        table.add(row);
        expected.push(row);
      }
    }
    const read = await readBack('calls', ...tables);
    assert.equal(read.length, expected.length);
    for (const [i, row] of expected.entries()) {
      for (const [name, value] of Object.entries(row)) {
        const back = read[i]![name];
        const plain = back instanceof Date ? back.getTime() * 1000 : typeof back === 'bigint' ? Number(back) : (back ?? null);
        assert.deepEqual(plain, value, `${name} of row ${i} of ${rows}`);
      }
    }
  }
});
