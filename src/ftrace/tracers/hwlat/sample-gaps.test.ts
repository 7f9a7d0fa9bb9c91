import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleGaps } from './sample-gaps.js';

/** A clock that goes on by 1 us a reading, and jumps before some of them (numbers count from 0). */
function clockWithGaps(gaps: Readonly<Record<number, number>>): () => number {
  let now = 1e9;
  let reading = 0;
  return () => {
    now += (gaps[reading++] ?? 1) * 1000;
    return now;
  };
}

test('gaps within a round and between rounds are distinguished', () => {
  // Reading 0 is the start; each round reads twice.
  const sample = sampleGaps(clockWithGaps({ 4: 50, 7: 30, 11: 20 }), 1e15, 500, 10)!;
  assert.deepEqual([sample.inner, sample.outer, sample.count], [50, 30, 3]);
  assert.equal(sample.firstAt, 1e15 + 1e9 + 1000 + 53_000);
});

test('a sample without a gap above the threshold is none', () => {
  assert.equal(sampleGaps(clockWithGaps({ 4: 10 }), 0, 500, 10), undefined);
});

test('it lasts for the given time', () => {
  const sample = sampleGaps(clockWithGaps({ 4: 50 }), 0, 500, 10)!;
  assert.ok(sample.end - sample.start > 500_000);
});
