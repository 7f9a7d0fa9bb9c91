import assert from 'node:assert/strict';
import { test } from 'node:test';
import { grouped } from './grouped.js';

test('digits stand in groups of three', () => {
  const numbers = [0, 12, 999, 1000, 12_345, 123_456, 1_234_567, 2 ** 53];
  assert.deepEqual(
    numbers.map(grouped),
    numbers.map((one) => one.toLocaleString('en')),
  );
});
