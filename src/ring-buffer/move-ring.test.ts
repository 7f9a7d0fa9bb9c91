import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRingBuffer } from './create-ring-buffer.js';
import { LINK, LINK_FLAGS, LINK_UPDATE, linkWord } from './layout.js';
import { RingBufferReader } from './reader.js';
import { SharedMemory } from './ring-memory.js';
import { SharedRing } from './shared-ring.js';
import { RingBufferWriter } from './writer.js';

function makeRing() {
  const memory = createRingBuffer(8192);
  const reader = new RingBufferReader(memory);
  /** What a thread writes that starts now. */
  const write = (value: number): void => {
    const writer = new RingBufferWriter(reader.memory);
    writer.u32[writer.reserve(4, value)] = value;
    writer.commit();
  };
  const read = (): number[] => {
    const values: number[] = [];
    for (; reader.peek(); reader.consume()) values.push(reader.words[reader.payload >> 2]!);
    return values;
  };
  return { memory, reader, write, read, larger: createRingBuffer(65536) };
}

test('a writer that moved and ended: the next one goes on in the memory that it moved to', () => {
  const { memory, reader, write, read, larger } = makeRing();
  write(1);
  reader.expectMove(larger);
  new RingBufferWriter(memory).moveTo(larger);
  write(2);
  assert.equal(reader.memory, larger);
  assert.deepEqual(read(), [1, 2]);
});

test('a writer that was terminated while it moved: the reader moves for it', () => {
  const { memory, reader, write, read, larger } = makeRing();
  write(1);
  reader.expectMove(larger);
  new SharedRing(new SharedMemory(memory)).lock();
  reader.writerEnded();
  assert.equal(reader.isMoving(), false);
  write(2);
  assert.equal(reader.memory, larger);
  assert.deepEqual(read(), [1, 2]);
});

test('a writer that ends with nothing to do changes nothing', () => {
  const { memory, reader, write, read } = makeRing();
  write(1);
  reader.writerEnded();
  assert.equal(reader.memory, memory);
  assert.deepEqual(read(), [1]);
});

test('a writer that ended while it gave the oldest page up: the ring is read, and moved, from the next page on', () => {
  for (const moves of [false, true]) {
    const { memory, reader, write, read, larger } = makeRing();
    for (let value = 1; value <= 2000; value++) write(value);
    const ring = new SharedRing(new SharedMemory(memory));
    ring.findHead();
    const link = ring.link(ring.beforeHead);
    ring.i32[linkWord(ring.beforeHead) + LINK] = (link & ~LINK_FLAGS) | LINK_UPDATE;
    if (moves) reader.expectMove(larger);
    reader.writerEnded();
    assert.equal(reader.memory, moves ? larger : memory);
    write(2001);
    const values = read();
    assert.deepEqual(values.slice(-3), [1999, 2000, 2001]);
    assert.deepEqual(
      values,
      values.map((_, index) => values[0]! + index),
    );
  }
});
