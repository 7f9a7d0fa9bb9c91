import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kstrtol, kstrtoul } from './kstrto.js';

test('a number may be decimal, hexadecimal or octal', () => {
  assert.deepEqual(['0', '10', '+10', '0x10', '0XfF', '010', '00'].map(kstrtoul), [0n, 10n, 10n, 16n, 255n, 8n, 0n]);
});

test('a text that is not a number is refused, and a number beyond 64 bits', () => {
  for (const text of ['', '+', '-1', 'abc', '08', '0x', '1 ', '1k'])
    assert.throws(() => kstrtoul(text), { errno: 'EINVAL' }, text);
  assert.equal(kstrtoul('18446744073709551615'), 0xffffffffffffffffn);
  assert.throws(() => kstrtoul('18446744073709551616'), { errno: 'ERANGE' });
});

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
