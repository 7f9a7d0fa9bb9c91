import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRingBuffer, RingBufferReader, RingBufferWriter } from '../ring-buffer/index.js';
import { ConsumedRecords } from './record-cursor.js';

function write(writer: RingBufferWriter, value: number): void {
  const at = writer.reserve(4, value);
  writer.u32[at] = value;
  writer.commit();
}

test('a record is consumed once, also if the buffer is resized while the cursor is at it', () => {
  const memory = createRingBuffer(8192);
  const reader = new RingBufferReader(memory);
  const writer = new RingBufferWriter(memory);
  for (const value of [1, 2, 3]) write(writer, value);
  const records = new ConsumedRecords(0, reader);
  const seen: number[] = [];
  while (records.advance()) {
    seen.push(records.words[records.at]!);
    const target = createRingBuffer(65536 * seen.length);
    reader.expectMove(target);
    writer.moveTo(target);
  }
  assert.deepEqual(seen, [1, 2, 3]);
  assert.equal(reader.stats(0).readEvents, 3);
});
