import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DurationBatches } from './duration-batches.js';

const batchesOf = (durations: readonly number[]): readonly number[] => {
  const batches = new DurationBatches();
  for (const ns of durations) batches.add(ns);
  return batches.means();
};

test('few durations are a batch each, and many are means in their order', () => {
  assert.deepEqual(batchesOf([1, 2, 1024]), [0, 1, 10]);
  assert.deepEqual(batchesOf([]), []);
  const many = batchesOf(Array.from({ length: 10_000 }, (_, i) => (i < 5_000 ? 4 : 16)));
  assert.ok(many.length >= 32 && many.length < 64, `${many.length} batches`);
  assert.deepEqual([...new Set(many)].filter((mean) => mean === 2 || mean === 4).sort(), [2, 4]);
  assert.deepEqual([...many].sort(), many, 'in the order of time');
});

test('one call that waited for a core hardly moves its batch, and no time is no error', () => {
  const quiet = batchesOf(Array.from({ length: 6_400 }, () => 1_000));
  const busy = batchesOf(Array.from({ length: 6_400 }, (_, i) => (i % 1_000 === 7 ? 4_000_000 : 1_000)));
  for (const [i, mean] of busy.entries()) assert.ok(mean - quiet[i]! < 0.15, `${mean} of ${quiet[i]}`);
  assert.deepEqual(batchesOf([0]), [0]);
});
