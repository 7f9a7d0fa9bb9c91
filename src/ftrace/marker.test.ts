import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRingBuffer, RingBufferReader, RingBufferWriter } from '../ring-buffer/index.js';
import { MAX_MARK_BYTES, writeMark, writeTextMark } from './marker.js';

const TEXTS = ['', 'a', 'one line\n', 'two\nlines', '\n', 'ab\0c', 'grün', '日本', `${'x'.repeat(MAX_MARK_BYTES - 1)}\n`];
const LONG = [`${'x'.repeat(MAX_MARK_BYTES - 1)}yz`, `${'ä'.repeat(MAX_MARK_BYTES)}`, 'x'.repeat(MAX_MARK_BYTES + 1)];

/** The record that is written into memory in which every byte was something else. */
function written(write: (writer: RingBufferWriter) => boolean): Buffer {
  const memory = createRingBuffer(65_536);
  const writer = new RingBufferWriter(memory);
  const at = writer.reserve(2048, 1000);
  writer.u8.fill(0xff, at * 4, at * 4 + 2048);
  writer.discard();
  assert.equal(write(writer), true);
  const reader = new RingBufferReader(memory);
  assert.ok(reader.peek());
  return Buffer.from(reader.bytes.slice(reader.payload, reader.payload + reader.length));
}

test('a text is written as its bytes in UTF-8 are, whatever was in the memory', () => {
  for (const text of [...TEXTS, ...LONG]) {
    for (const ip of [undefined, 0x1234_5678_9abc, -0x80000000]) {
      const bytes = written((writer) => writeMark(writer, new TextEncoder().encode(text), 77, ip));
      const record = written((writer) => writeTextMark(writer, text, 77, ip));
      assert.deepEqual(record, bytes, `${text.slice(0, 20)}, ${ip}`);
    }
  }
});
