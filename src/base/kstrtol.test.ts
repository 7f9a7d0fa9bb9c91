import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kstrtol } from './kstrtol.js';

test('numbers may have a sign', () => {
  assert.equal(kstrtol('-0x10'), -16n);
  assert.equal(kstrtol('+5'), 5n);
  assert.equal(kstrtol('-9223372036854775808'), -(1n << 63n));
});

test('what has no 64 bits with a sign is out of range', () => {
  assert.throws(() => kstrtol('9223372036854775808'), { errno: 'ERANGE' });
  assert.throws(() => kstrtol('-9223372036854775809'), { errno: 'ERANGE' });
});

test('other texts are invalid', () => {
  for (const text of ['', '-', '--1', '- 1', '1x']) assert.throws(() => kstrtol(text), { errno: 'EINVAL' }, text);
});
