import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { WAKE_COUNT } from './layout.js';
import { RingBufferReader } from './reader.js';
import type { RingMemory } from './ring-memory.js';
import { takeSnapshotOf } from './take-snapshot.js';
import { RING_MEMORIES } from './testing/ring-memories.js';
import { waitForEvents } from './wait.js';
import { RingBufferWriter } from './writer.js';

/** Writes an event and wakes the readers, as a writer of this memory does. */
function write(memory: RingMemory, writer: RingBufferWriter, value: number): void {
  writer.u32[writer.reserve(4, value)] = value;
  writer.commit();
  memory.wake(WAKE_COUNT);
}

const read = (reader: RingBufferReader): number[] => {
  const values: number[] = [];
  for (; reader.peek(); reader.consume()) values.push(reader.words[reader.payload >> 2]!);
  return values;
};

for (const { name, create } of RING_MEMORIES) {
  describe(`a ring in ${name}`, () => {
    it('is read by events, by pages and as a snapshot, and counted', () => {
      const memory = create(8192);
      const reader = new RingBufferReader(memory);
      const writer = new RingBufferWriter(memory.buffer);
      for (let value = 1; value <= 5000; value++) write(memory, writer, value);
      const { entries, overrun } = reader.stats(0);
      assert.equal(entries + overrun, 5000);
      let events = 0;
      for (const snapshot = reader.snapshot(); snapshot.next(); ) events++;
      assert.equal(events, entries);
      events = 0;
      for (const snapshot = takeSnapshotOf(memory); snapshot.next(); ) events++;
      assert.equal(events, entries);
      assert.equal(reader.readPage(new Uint8Array(reader.subbufBytes), true), true);
      const left = read(reader);
      assert.equal(left.at(-1), 5000);
      assert.equal(reader.stats(0).readEvents, entries);
      assert.ok(left.length < entries);
    });

    it('wakes a reader that waits for an event, for a fill level, or that another reader wakes', async () => {
      const memory = create(8192);
      const reader = new RingBufferReader(memory);
      const writer = new RingBufferWriter(memory.buffer);
      const forEvent = waitForEvents([reader], 0);
      write(memory, writer, 1);
      assert.equal(await forEvent, true);
      reader.addWatermark(50);
      const forPages = reader.nextWakeUp(60_000);
      for (let value = 2; !reader.isFull(50); value++) write(memory, writer, value);
      await forPages;
      reader.removeWatermark(50);
      const woken = reader.nextWakeUp(60_000);
      reader.wakeUp();
      await woken;
      assert.equal(await waitForEvents([new RingBufferReader(create(8192))], 0, undefined, 1), false);
    });

    it('is resized by its writer, and by the reader when the writer has ended', async () => {
      const memory = create(8192);
      const reader = new RingBufferReader(memory);
      const writer = new RingBufferWriter(memory.buffer);
      write(memory, writer, 1);
      const larger = create(65536);
      const waiting = reader.nextWakeUp(60_000);
      reader.expectMove(larger);
      writer.moveTo(larger.buffer);
      memory.wake(WAKE_COUNT);
      await waiting;
      write(larger, writer, 2);
      assert.equal(reader.memory, larger.buffer);
      const largest = create(131_072);
      reader.expectMove(largest);
      reader.writerEnded();
      assert.equal(reader.memory, largest.buffer);
      assert.equal(reader.nrPages > 30, true);
      assert.deepEqual(read(reader), [1, 2]);
    });
  });
}
