import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRingBuffer, RingBufferReader, RingBufferWriter } from './index.js';

test('an event that is reserved, filled and committed is read back', () => {
  const memory = createRingBuffer(16 * 1024);
  const writer = new RingBufferWriter(memory);
  const reader = new RingBufferReader(memory);
  const at = writer.reserve(12, 1_000_000);
  writer.u32[at] = 7;
  assert.equal(reader.peek(), false);
  writer.commit();
  assert.equal(reader.peek(), true);
  assert.equal(reader.ts, 1_000_000);
  assert.equal(reader.words[reader.payload >> 2], 7);
  reader.consume();
  assert.equal(reader.peek(), false);
});
