import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TaskTable } from './task-table.js';

test('what one side writes of a context the other reads', () => {
  const writer = new TaskTable();
  const reader = new TaskTable(writer.memory);
  const promise = writer.setType(0, 'PROMISE');
  const request = writer.setType(1, 'HTTPINCOMINGMESSAGE');
  writer.created(9, promise);
  writer.created(7, request);
  writer.running(9);
  writer.running(7);
  writer.created(11, promise);
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

test('it is bounded: a later context takes the place of an earlier one, a type too many that of the last', () => {
  const table = new TaskTable();
  for (let i = 0; i < 200; i++) table.setType(i, `type${i}`);
  table.created(5, 3);
  table.created(5 + 32768, table.setType(200, 'other'));
  assert.deepEqual([table.comm(5), table.comm(5 + 32768)], [undefined, 'other']);
  table.running(5);
  assert.deepEqual([...table.ran()], []);
});
