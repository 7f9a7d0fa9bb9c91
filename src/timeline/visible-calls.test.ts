import assert from 'node:assert/strict';
import { test } from 'node:test';
import { madeUp } from './testing/made-up.js';
import { findVisible, nearestCall, timesBetween, visibleCalls } from './visible-calls.js';

/** `x+width index` of each thing that is drawn; several calls have a star. */
function drawn(text: string, from: number, to: number, pixels: number): readonly string[] {
  const row = madeUp({ main: text }).tracks[0]!.rows[0]!;
  const found = visibleCalls(pixels);
  findVisible(row, from, to, pixels, found);
  return Array.from(
    { length: found.count },
    (_, i) => `${found.x[i]}+${found.width[i]} ${found.index[i]}${found.isMany[i] === 1 ? '*' : ''}`,
  );
}

test('calls are drawn at their pixels, also those that begin before and end behind', () => {
  assert.deepEqual(drawn('a 0-10\nb 20-50\nc 60-100', 0, 100, 100), ['0+10 0', '20+30 1', '60+40 2']);
  assert.deepEqual(drawn('a 0-10\nb 20-50\nc 60-100', 30, 80, 50), ['0+20 1', '30+20 2']);
});

test('calls that share a pixel are one thing', () => {
  const many = Array.from({ length: 100 }, (_, i) => `f ${i}-${i + 1}`).join('\n');
  assert.deepEqual(drawn(many, 0, 100, 2), ['0+1 0*', '1+1 50*']);
  assert.deepEqual(drawn('a 0-1\nb 2-3\nc 50-90', 0, 100, 10), ['0+1 0*', '5+4 2']);
  assert.equal(drawn(many, 0, 100, 10).length, 10);
});

test('a call of no time has a pixel', () => {
  assert.deepEqual(drawn('a 5-5\nb 50-50', 0, 100, 10), ['0+1 0', '5+1 1']);
});

test('the nearest call and the times of a range are found', () => {
  const row = madeUp({ main: 'a 0-10\nb 20-50' }).tracks[0]!.rows[0]!;
  assert.deepEqual(
    [5, 15, 30, 99].map((time) => nearestCall(row, time)),
    [0, 1, 1, 1],
  );
  const times = Float64Array.of(1, 3, 3, 7);
  assert.deepEqual(timesBetween(times, 3, 7), [1, 4]);
  assert.deepEqual(timesBetween(times, 0, 0.5), [0, 0]);
  assert.deepEqual(timesBetween(times, 4, 6), [3, 3]);
});
