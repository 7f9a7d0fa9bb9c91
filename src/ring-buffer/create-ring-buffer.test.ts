import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRingBuffer, RingBufferReader } from './index.js';

test('a size is rounded up to sub-buffers, two at least', () => {
  const pages = [0, 1, 8160, 8161, 8 * 1024].map((bytes) => new RingBufferReader(createRingBuffer(bytes)).nrPages);
  assert.deepEqual(pages, [2, 2, 2, 3, 3]);
});

test('sub-buffers may be larger than a page of memory', () => {
  const reader = new RingBufferReader(createRingBuffer(64 * 1024, 16 * 1024));
  assert.deepEqual([reader.subbufBytes, reader.nrPages], [16 * 1024, 5]);
});

test('an impossible buffer is refused with the errno', () => {
  assert.throws(() => createRingBuffer(8192, 5000), { errno: 'EINVAL' });
  assert.throws(() => createRingBuffer(8192, 2048), { errno: 'EINVAL' });
  assert.throws(() => createRingBuffer(2 ** 31), { errno: 'ENOMEM' });
});
