import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_WRITERS } from '../../port/limits.js';
import { createInstanceSwitch, InstanceSwitch, RingBufferWriter } from '../../ring-buffer/index.js';
import { FakeThread } from '../testing/fake-thread.js';
import { InstanceSnapshot } from './instance-snapshot.js';
import { ThreadBuffers } from './thread-buffers.js';

/** An instance with memory for snapshots, and one thread that has written a record and is told nothing by itself. */
async function createSnapshot() {
  const instance = new InstanceSwitch(createInstanceSwitch(MAX_WRITERS));
  const buffers = new ThreadBuffers(1 << 16, true, instance);
  const memory = buffers.memory(0);
  const threads = [new FakeThread(0).connection];
  const snapshot = new InstanceSnapshot({
    number: 0,
    buffers,
    threads: () => threads,
    control: () => [],
    obeyed: async () => {},
  });
  await snapshot.allocate();
  const writer = new RingBufferWriter(memory, instance, 0);
  writer.setSpare(buffers.spare(0));
  writer.reserve(4, 1);
  writer.commit();
  const { thread } = buffers.of(0);
  return {
    snapshot,
    writer,
    holds: () => [thread.reader!, thread.snapshot!].map((reader) => reader.stats(1).entries),
    endThread() {
      threads.pop();
      thread.writerEnded();
    },
  };
}

test('a thread that ends before it takes a requested snapshot leaves its records in the snapshot', async () => {
  const { snapshot, holds, endThread } = await createSnapshot();
  await snapshot.take();
  assert.deepEqual(holds(), [1, 0], 'the thread has not looked yet');
  endThread();
  assert.deepEqual(holds(), [0, 1]);
  await snapshot.take();
  assert.deepEqual(holds(), [1, 0], 'they come back with the next, as the kernel swaps them');
  await snapshot.free();
});

test('a thread that has taken the snapshot and ends has it taken once', async () => {
  const { snapshot, writer, holds, endThread } = await createSnapshot();
  await snapshot.take();
  writer.takeSnapshot();
  endThread();
  assert.deepEqual(holds(), [0, 1]);
  await snapshot.free();
});
