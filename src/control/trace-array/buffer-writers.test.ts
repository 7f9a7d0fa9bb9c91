import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_WRITERS } from '../../port/limits.js';
import { createInstanceSwitch, createRingBuffer, InstanceSwitch } from '../../ring-buffer/index.js';
import { FakeThread } from '../testing/fake-thread.js';
import { writingProcess } from '../testing/writing-process.js';
import { BufferWriters } from './buffer-writers.js';
import { ThreadBuffers } from './thread-buffers.js';

const INSTANCE = 3;

function createWriters(threads: readonly FakeThread[]) {
  const words = createInstanceSwitch(MAX_WRITERS);
  const buffers = new ThreadBuffers(1 << 16, true, new InstanceSwitch(words));
  const process = writingProcess(threads);
  return { process, buffers, writers: new BufferWriters(process, INSTANCE, buffers, words) };
}

test('no thread has a buffer before something may be recorded; then every one has, and each that comes later', () => {
  const threads = [new FakeThread(0)];
  const { writers, buffers } = createWriters(threads);
  writers.addThread(threads[0]!.connection);
  assert.deepEqual(threads[0]!.posted, []);
  writers.use();
  writers.use();
  const late = new FakeThread(1);
  writers.addThread(late.connection);
  assert.deepEqual(
    [threads[0]!, late].map((thread) => thread.of('buffer').map(({ instance, buffer }) => [instance, buffer])),
    [[[INSTANCE, buffers.memory(0)]], [[INSTANCE, buffers.memory(1)]]],
  );
});

test('a thread that comes later gets the clock and the memory of the snapshot too', async () => {
  const threads = [new FakeThread(0)];
  const { writers } = createWriters(threads);
  await writers.setClock('counter');
  assert.deepEqual(threads[0]!.posted, []);
  writers.use();
  await writers.snapshot.allocate();
  const late = new FakeThread(1);
  writers.addThread(late.connection);
  assert.deepEqual(late.types(), ['buffer', 'spare', 'clock']);
  await writers.snapshot.free();
});

test('another clock is sent to threads that have buffers, and now() shows it', async () => {
  const thread = new FakeThread(0);
  const { writers, process } = createWriters([thread]);
  writers.use();
  await writers.setClock('counter');
  assert.deepEqual(thread.of('clock'), [{ type: 'clock', instance: INSTANCE, clock: 'counter' }]);
  process.port.counter[0] = 41n;
  assert.equal(writers.now(), 42, 'the next number');
});

test('a buffer is moved by the thread that writes to it, by the control thread, or not at all', async () => {
  const thread = new FakeThread(0);
  const { writers, buffers } = createWriters([thread]);
  const memory = new SharedArrayBuffer(8);
  await writers.movers.thread(0)!(memory, 1);
  assert.deepEqual(thread.posted, [{ type: 'resize', instance: INSTANCE, half: 1, buffer: memory }]);
  assert.equal(writers.movers.control(0), undefined);
  writers.control.get();
  const target = createRingBuffer(1 << 17);
  buffers.of(0).control.reader!.expectMove(target);
  await writers.movers.control(0)!(target, 0);
  assert.equal(buffers.of(0).control.reader!.isMoving(), false);
  assert.deepEqual([writers.movers.thread(5), writers.movers.control(5)], [undefined, undefined]);
});
