import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { columnsOf, TABLE_NAMES } from '../tables/columns.js';
import { TableData } from '../tables/table-data.js';
import { partition } from './parquet-folder.js';
import { RowWriter } from './row-writer.js';
import { RowGroups } from './rows.js';

test('docs/fleet.md has each column with what it means', () => {
  const page = readFileSync('docs/fleet.md', 'utf8');
  for (const table of TABLE_NAMES) {
    for (const { name, meaning } of columnsOf(table, 'fleet'))
      assert.ok(page.includes(`| \`${name}\` |`) && page.includes(meaning.replaceAll('’', "'")), name);
  }
});

test('rows are grouped by table, service and day of their times', () => {
  const groups = new RowGroups('box');
  const midnight = Date.UTC(2026, 10, 28) * 1000;
  const lost = (service: string, time: number, events: number | null): void =>
    new RowWriter(groups, { service, pid: 7, program: 'a.js', release: '', clock: 0 }).lost(time, 0, events, 'buffer');
  lost('shop', midnight - 1, 1);
  lost('shop', midnight, 2);
  lost('web', midnight, 3);
  const removeRest = groups.mark();
  lost('shop', midnight + 5, null);
  lost('late', midnight, 4);
  assert.deepEqual(
    groups.all().map((group) => `${partition(group)} ${group.rows.length}`),
    [
      'lost/date=2026-11-27/service=shop/host=box 1',
      'lost/date=2026-11-28/service=shop/host=box 2',
      'lost/date=2026-11-28/service=web/host=box 1',
      'lost/date=2026-11-28/service=late/host=box 1',
    ],
  );
  removeRest();
  assert.deepEqual(
    groups.all().map(({ rows }) => [...rows.rows()].map(({ events }) => events)),
    [[1], [2], [3]],
  );
});

test('a service named after a path stays in its folder', () => {
  const group = { table: 'lost', date: '2026-11-27', host: '', rows: new TableData('lost', 'fleet') } as const;
  assert.equal(
    partition({ ...group, service: '../../etc' }),
    'lost/date=2026-11-27/service=..%2F..%2Fetc/host=__HIVE_DEFAULT_PARTITION__',
  );
});
