import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RecordWriter } from '../../ftrace/tracers/record-writer.js';
import { createInstanceSwitch, createRingBuffer, RingBufferReader } from '../../ring-buffer/index.js';
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

/** The times that a reader sees of three records at these times. */
function timesOf(writers: ThreadWriters, instance: number, reader: RingBufferReader, times: readonly number[]): number[] {
  const writer = writers.get(instance)!;
  for (const ns of times) {
    assert.ok(writer.reserve(12, ns) >= 0);
    writer.commit();
  }
  const found: number[] = [];
  for (; reader.peek(); reader.consume()) found.push(reader.ts);
  return found;
}

test('times of threads with native text keep the order of both, whichever clock in nanoseconds is chosen', () => {
  const { writers } = createWriters();
  const memory = createRingBuffer(1 << 16);
  const reader = new RingBufferReader(memory);
  writers.setBuffer(0, memory, createInstanceSwitch(1));
  let tsc = 5e9;
  writers.joinNative({ order: (ns) => ns + 1, tsc: () => tsc++ });
  assert.deepEqual(timesOf(writers, 0, reader, [1e9, 2e9]), [1e9 + 1, 2e9 + 1]);
  writers.setClock(0, 'mono');
  assert.deepEqual(timesOf(writers, 0, reader, [3e9, 4e9]), [3e9 + 1, 4e9 + 1]);
  writers.setClock(0, 'x86-tsc');
  assert.deepEqual(timesOf(writers, 0, reader, [1e9, 2e9]), [5e9, 5e9 + 1], 'counts have the order of the counter');
  writers.setClock(0, 'counter');
  writers.joinNative({ order: (ns) => ns + 1, tsc: () => tsc++ });
  assert.deepEqual(timesOf(writers, 0, reader, [1e9, 2e9]), [1, 2], 'a clock that was chosen before');
});
