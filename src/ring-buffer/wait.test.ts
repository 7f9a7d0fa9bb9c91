import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { createRingBuffer, RingBufferReader, RingBufferWriter, waitForEvents } from './index.js';
import type { StressWriterData } from './testing/stress-writer.js';

const PAGE_DATA = 4080;

function fill(writer: RingBufferWriter, pages: number): void {
  for (let i = 0; i < pages; i++) {
    writer.reserve(PAGE_DATA - 8, i);
    writer.commit();
  }
}

/** A thread that writes to a ring at full speed, and what ends it. */
async function startWriter(memory: SharedArrayBuffer) {
  const stop = new SharedArrayBuffer(4);
  const workerData: StressWriterData = { memory, seed: 1, maxWords: 6, stop };
  const worker = new Worker(new URL('./testing/stress-writer.js', import.meta.url), { workerData });
  await once(worker, 'message');
  return () => Atomics.store(new Int32Array(stop), 0, 1);
}

test('any event ends the wait for any', async () => {
  const memory = createRingBuffer(4 * PAGE_DATA);
  const reader = new RingBufferReader(memory);
  const other = new RingBufferReader(createRingBuffer(4 * PAGE_DATA));
  const waiting = waitForEvents([other, reader], 0);
  const writer = new RingBufferWriter(memory);
  writer.reserve(4, 1);
  writer.commit();
  assert.equal(await waiting, true);
});

test('the writer wakes readers that wait for an event when it begins to write one, and records it', async () => {
  const memory = createRingBuffer(4 * PAGE_DATA);
  const reader = new RingBufferReader(memory);
  const writer = new RingBufferWriter(memory);
  const woken = reader.nextEvent(60_000);
  assert.equal(reader.recording, true);
  assert.equal(writer.reserve(4, 1) >= 0, true);
  await woken;
  writer.commit();
  assert.equal(reader.peek(), true);
});

test('a buffer that records nothing wakes no reader, and wakes waiting readers once it records again', async () => {
  const memory = createRingBuffer(4 * PAGE_DATA);
  const reader = new RingBufferReader(memory);
  const writer = new RingBufferWriter(memory);
  reader.setDisabled('tracingOn', true);
  const waiting = waitForEvents([reader], 0);
  assert.equal(writer.reserve(4, 1), -1);
  assert.equal(await waitForEvents([reader], 0, undefined, 1), false);
  reader.setDisabled('tracingOn', false);
  writer.reserve(4, 2);
  writer.commit();
  assert.equal(await waiting, true);
});

test('a reader that waits follows the buffer to another memory', async () => {
  const memory = createRingBuffer(4 * PAGE_DATA);
  const reader = new RingBufferReader(memory);
  const writer = new RingBufferWriter(memory);
  const waiting = waitForEvents([reader], 0);
  const target = createRingBuffer(8 * PAGE_DATA);
  reader.expectMove(target);
  writer.moveTo(target);
  writer.reserve(4, 1);
  writer.commit();
  assert.equal(await waiting, true);
});

test('a watermark is reached when that much of the pages is full, the one being written counted', () => {
  const memory = createRingBuffer(4 * PAGE_DATA);
  const reader = new RingBufferReader(memory);
  const writer = new RingBufferWriter(memory);
  const levels = [1, 2, 3, 4].map(() => {
    fill(writer, 1);
    return [25, 50, 75, 100].filter((percent) => reader.isFull(percent));
  });
  assert.deepEqual(levels, [[25], [25, 50], [25, 50, 75], [25, 50, 75, 100]]);
});

test('the writer wakes waiting readers when the watermark is reached', async () => {
  const memory = createRingBuffer(8 * PAGE_DATA);
  const reader = new RingBufferReader(memory);
  reader.addWatermark(50);
  const woken = reader.nextWakeUp(60_000);
  const stop = await startWriter(memory);
  await woken;
  assert.equal(reader.isFull(50), true);
  assert.equal(await waitForEvents([reader], 50), true);
  stop();
});

test('a signal ends the wait, and so does the time', async () => {
  for (const percent of [0, 50]) {
    const reader = new RingBufferReader(createRingBuffer(4 * PAGE_DATA));
    const abort = new AbortController();
    const waiting = waitForEvents([reader], percent, abort.signal);
    abort.abort();
    assert.equal(await waiting, false);
    assert.equal(await waitForEvents([reader], percent, undefined, 1), false);
  }
});

test('a writer in a tight loop stops recording when it is told to', async () => {
  const memory = createRingBuffer(8 * PAGE_DATA);
  const reader = new RingBufferReader(memory);
  const written = () => {
    const { entries, overrun } = reader.stats(0);
    return entries + overrun;
  };
  const stop = await startWriter(memory);
  while (written() < 100_000) await sleep(1);
  reader.setDisabled('tracingOn', true);
  let before = -1;
  while (written() !== before) {
    before = written();
    await sleep(20);
  }
  assert.equal(written(), before);
  stop();
});
