import assert from 'node:assert/strict';
import { test } from 'node:test';
import { correctedForMany, rankTest } from './rank-test.js';

const near = (actual: number, expected: number): void =>
  assert.ok(Math.abs(actual / expected - 1) < 1e-3, `${actual} is not ${expected}`);

/** Samples, and what `wilcox.test(before, after, exact = FALSE)` of R prints of them. */
const KNOWN: readonly (readonly [before: readonly number[], after: readonly number[], p: number])[] = [
  // W = 0, sd = sqrt(5 * 5 * 11 / 12), z = 12 / sd: apart as far as five and five can be.
  [[1, 2, 3, 4, 5], [6, 7, 8, 9, 10], 0.01218578],
  // Ties: ranks 1, 2.5, 4.5 and 2.5, 4.5, 6; variance 9 / 12 * (7 - 12 / 30).
  [[1, 2, 3], [2, 3, 4], 0.3686],
];

for (const [before, after, p] of KNOWN) {
  test(`the rank test of ${before} and ${after} is ${p}`, () => {
    near(rankTest(before, after), p);
    near(rankTest(after, before), p);
  });
}

test('equal samples, constant ones and empty ones differ by chance', () => {
  assert.equal(rankTest([1, 2, 3], [1, 2, 3]), 1);
  assert.equal(rankTest([5, 5, 5], [5, 5, 5]), 1);
  assert.equal(rankTest([], [1]), 1);
});

test('samples of one distribution are rarely taken for different ones', () => {
  let seed = 7;
  const random = (): number => (seed = (seed * 48271) % 2147483647) / 2147483647;
  const sample = (): readonly number[] => Array.from({ length: 48 }, () => random() ** 3);
  const wrong = Array.from({ length: 2000 }, () => rankTest(sample(), sample())).filter((p) => p < 0.01).length;
  assert.ok(wrong > 5 && wrong < 40, `${wrong} of 2000 with a chance of 1 %`);
});

test('of many tests, each is corrected by how many there are', () => {
  assert.deepEqual(correctedForMany([0.5, 0.001, 0.01]), [0.5, 0.003, 0.02]);
  assert.deepEqual(correctedForMany([0.9, 0.8]), [1, 1]);
  assert.deepEqual(correctedForMany([]), []);
});
