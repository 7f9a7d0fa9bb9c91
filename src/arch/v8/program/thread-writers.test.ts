import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createInstanceSwitch, createRingBuffer } from '../../../ring-buffer/index.js';
import type { RecordWriter } from '../../../tracers/record-writer.js';
import { ThreadWriters } from './thread-writers.js';

const INSTANCE = 3;

function createWriters() {
  const set: [writer: RecordWriter, instance: number][] = [];
  const counter = new BigInt64Array(new SharedArrayBuffer(8));
  const writers = new ThreadWriters(0, counter, (...one) => set.push(one));
  writers.setBuffer(INSTANCE, createRingBuffer(1 << 16), createInstanceSwitch(1));
  return { writers, set };
}

test('an instance’s records go to its ring buffer, and nowhere when it is removed', () => {
  const { writers, set } = createWriters();
  assert.equal(writers.get(INSTANCE), writers.ringBuffer(INSTANCE));
  assert.deepEqual(set, [[writers.ringBuffer(INSTANCE), INSTANCE]]);
  assert.equal(writers.get(), undefined, 'the top level has none');
  writers.remove(INSTANCE);
  assert.deepEqual([writers.get(INSTANCE), writers.ringBuffer(INSTANCE)], [undefined, undefined]);
});

test('another clock puts a writer before the ring buffer, local takes it away', () => {
  const { writers, set } = createWriters();
  const ringBuffer = writers.ringBuffer(INSTANCE);
  assert.equal(writers.setClock(INSTANCE, 'counter'), true);
  assert.notEqual(writers.get(INSTANCE), ringBuffer);
  assert.equal(writers.ringBuffer(INSTANCE), ringBuffer);
  writers.setClock(INSTANCE, 'local');
  assert.equal(writers.get(INSTANCE), ringBuffer);
  assert.equal(set.length, 3);
});

test('the clock is not changed in the midst of an event', () => {
  const { writers } = createWriters();
  const ringBuffer = writers.ringBuffer(INSTANCE)!;
  ringBuffer.reserve(16, 1000);
  assert.equal(writers.setClock(INSTANCE, 'counter'), false);
  assert.equal(writers.get(INSTANCE), ringBuffer);
  ringBuffer.commit();
  assert.equal(writers.setClock(INSTANCE, 'counter'), true);
});

test('a clock of an instance without a buffer is of no concern', () => {
  const { writers, set } = createWriters();
  assert.equal(writers.setClock(7, 'counter'), true);
  assert.equal(set.length, 1);
});
