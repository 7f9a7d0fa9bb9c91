import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CommandQueue } from './command-queue.js';

function obeyAll(queue: CommandQueue<{ readonly seq: number }>): number[] {
  const obeyed: number[] = [];
  for (let command = queue.next; command !== undefined; command = queue.next) {
    obeyed.push(command.seq);
    queue.take();
  }
  return obeyed;
}

test('commands are obeyed in the order in which they were sent, though an interrupt received later ones first', () => {
  const queue = new CommandQueue<{ readonly seq: number }>();
  queue.put({ seq: 1 });
  assert.deepEqual(obeyAll(queue), [1]);
  queue.put({ seq: 3 });
  queue.put({ seq: 4 });
  assert.deepEqual(obeyAll(queue), [], 'the second is still on its way');
  queue.put({ seq: 2 });
  assert.deepEqual(obeyAll(queue), [2, 3, 4]);
});

test('one that cannot be obeyed now stays the next', () => {
  const queue = new CommandQueue<{ readonly seq: number }>();
  queue.put({ seq: 1 });
  queue.put({ seq: 2 });
  assert.equal(queue.next?.seq, 1);
  assert.deepEqual(obeyAll(queue), [1, 2]);
});
