import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TaskTable } from './task-table.js';

test('what one side writes of a context the other reads', () => {
  const writer = new TaskTable();
  const reader = new TaskTable(writer.memory);
  const promise = writer.setType(0, 'PROMISE');
  const request = writer.setType(1, 'HTTPINCOMINGMESSAGE');
  writer.created(9, promise, 7, 7);
  writer.created(7, request, 1, 3);
  writer.running(9);
  writer.running(7);
  writer.created(11, promise, 9, 9);
  assert.deepEqual(
    [reader.comm(7), reader.comm(11), reader.comm(8), reader.comm(0)],
    ['HTTPINCOMINGMESSAGE', 'PROMISE', undefined, undefined],
  );
  assert.deepEqual(
    [...reader.ran()],
    [
      [7, 'HTTPINCOMINGMESSAGE'],
      [9, 'PROMISE'],
    ],
  );
});

test('tasks are visited in the order of their creation, with those that caused them', () => {
  const table = new TaskTable();
  const type = table.setType(0, 'Timeout');
  for (const [pid, creator, trigger] of [
    [40000, 2, 3],
    [40001, 40000, 40000],
  ] as const) {
    table.created(pid, type, creator, trigger);
  }
  table.running(40000);
  const seen: unknown[] = [];
  table.visit(40001, (...task) => seen.push(task));
  assert.deepEqual(seen, [
    [40000, 2, 3, 0, true],
    [40001, 40000, 40000, 0, false],
  ]);
});

test('it is bounded: a later context takes the place of an earlier one, a type too many that of the last', () => {
  const table = new TaskTable();
  for (let i = 0; i < 200; i++) table.setType(i, `type${i}`);
  table.created(5, 3, 0, 0);
  table.created(5 + 32768, table.setType(200, 'other'), 0, 0);
  assert.deepEqual([table.comm(5), table.comm(5 + 32768)], [undefined, 'other']);
  table.running(5);
  assert.deepEqual([...table.ran()], []);
});
