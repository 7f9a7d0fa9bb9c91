import assert from 'node:assert/strict';
import { test } from 'node:test';
import { amountText, rulerStep, rulerText, timeText } from '../../src/page/time-text.js';

test('times have four digits and the unit that fits', () => {
  assert.deepEqual([0, 7, 999, 1000, 12_345, 1_234_567, 45e6, 2.5e9, 1234.5e9].map(timeText), [
    '0 ns',
    '7 ns',
    '999 ns',
    '1.000 µs',
    '12.35 µs',
    '1.235 ms',
    '45.00 ms',
    '2.500 s',
    '1235 s',
  ]);
});

test('a ruler has round steps, and texts with the digits that tell them apart', () => {
  assert.deepEqual([rulerStep(1000, 10), rulerStep(1100, 10), rulerStep(30_000, 10)], [100, 200, 5000]);
  assert.deepEqual(
    [0, 5000, 1_005_000].map((time) => rulerText(time, 5000)),
    ['0', '5 µs', '1.005 ms'],
  );
});

test('amounts are in the unit of their counter', () => {
  assert.deepEqual(
    [amountText(26_030_000, 'bytes'), amountText(512, 'bytes'), amountText(43.21, 'percent'), amountText(12, 'count')],
    ['26.03 MB', '512 bytes', '43.21 %', '12'],
  );
});
