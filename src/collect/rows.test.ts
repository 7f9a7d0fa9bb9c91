import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parquetReadObjects } from 'hyparquet';
import { parquetBytes, partition } from './parquet-folder.js';
import { RowGroups, TABLE_NAMES, TABLES } from './rows.js';

test('docs/fleet.md has each column with what it means', () => {
  const page = readFileSync('docs/fleet.md', 'utf8');
  for (const columns of Object.values(TABLES)) {
    for (const { name, meaning } of columns)
      assert.ok(page.includes(`| \`${name}\` |`) && page.includes(meaning.replaceAll('’', "'")), name);
  }
});

test('rows are grouped by table, service and day of their times', () => {
  const groups = new RowGroups('box');
  const midnight = Date.UTC(2026, 10, 28) * 1000;
  groups.add('lost', 'shop', [midnight - 1, 7, 'a.js', '', 0, 1, 'buffer']);
  groups.add('lost', 'shop', [midnight, 7, 'a.js', '', 0, 2, 'buffer']);
  groups.add('lost', 'web', [midnight, 8, 'b.js', '', 0, 3, 'buffer']);
  groups.add('lost', 'shop', [midnight + 5, 7, 'a.js', '', 0, null, 'buffer']);
  assert.deepEqual(
    groups.all().map((group) => `${partition(group)} ${group.rows.length}`),
    [
      'lost/date=2026-11-27/service=shop/host=box 1',
      'lost/date=2026-11-28/service=shop/host=box 2',
      'lost/date=2026-11-28/service=web/host=box 1',
    ],
  );
});

test('a service named after a path stays in its folder', () => {
  const group = { table: 'lost', date: '2026-11-27', host: '', rows: [] } as const;
  assert.equal(
    partition({ ...group, service: '../../etc' }),
    'lost/date=2026-11-27/service=..%2F..%2Fetc/host=__HIVE_DEFAULT_PARTITION__',
  );
});

test('every table is stored with its types, and what is not known is null', async () => {
  const samples = { time: 1_795_000_000_000_123, text: 'ü', json: '{"a":1}', number: 7, ns: 2 ** 52, real: 0.25, flag: true };
  for (const table of TABLE_NAMES) {
    const full = TABLES[table].map(({ type }) => samples[type]);
    const empty = TABLES[table].map((_, at) => (at === 0 ? samples.time : null));
    const bytes = parquetBytes({ table, rows: [full, empty] });
    const [first, second] = await parquetReadObjects({ file: bytes.slice().buffer });
    for (const { name, type } of TABLES[table].slice(1)) {
      const expected = type === 'number' || type === 'ns' ? BigInt(samples[type]) : samples[type];
      assert.deepEqual([first![name], second![name] ?? null], [expected, null], `${table}.${name}`);
    }
    assert.equal((first!['time'] as Date).getTime(), 1_795_000_000_000);
  }
});
