import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Queue } from './queue.js';

test('what was put first is taken first', () => {
  const queue = new Queue<string>();
  queue.put('a');
  queue.put('b');
  assert.equal(queue.next, 'a');
  assert.equal(queue.take(), 'a');
  queue.put('c');
  assert.deepEqual([queue.take(), queue.take(), queue.take()], ['b', 'c', undefined]);
  assert.ok(queue.isEmpty);
});

test('a program that breaks Array breaks no queue', () => {
  const { push, shift, splice } = Array.prototype;
  const broken = (): never => {
    throw new Error('broken');
  };
  try {
    Array.prototype.push = Array.prototype.shift = Array.prototype.splice = broken;
    Object.defineProperty(Array.prototype, 0, { set: broken, configurable: true });
    const queue = new Queue<number>();
    queue.put(1);
    assert.equal(queue.take(), 1);
  } finally {
    delete Array.prototype[0];
    Object.assign(Array.prototype, { push, shift, splice });
  }
});
