import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32, slowCrc32 } from './crc32.js';

test('the check value of CRC-32', () => {
  assert.equal(crc32(Buffer.from('123456789')), 0xcbf43926);
});

test('Node’s and fentry’s own agree, and both can go on from a part', () => {
  const bytes = Buffer.from(Array.from({ length: 1000 }, (_, i) => (i * i) & 255));
  const long = Buffer.concat(Array.from({ length: 50 }, () => bytes));
  assert.equal(slowCrc32(long), crc32(long));
  assert.equal(slowCrc32(bytes.subarray(400), slowCrc32(bytes.subarray(0, 400))), slowCrc32(bytes));
});
