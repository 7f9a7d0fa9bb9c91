import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HitBudget } from './hit-budget.js';

test('hits within the budget have no effect', () => {
  let now = 0;
  const budget = new HitBudget(() => now, 100);
  for (; now < 1000; now += 10) assert.equal(budget.hit(1), undefined);
});

test('when there are too many in a tenth of a second, the function with the most of them is out', () => {
  const budget = new HitBudget(() => 0, 100);
  const hits = [1, 2, 2, 3, 2, 1, 2, 3, 2, 1, 3];
  assert.deepEqual(
    hits.map((n) => budget.hit(n)),
    [...new Array(10).fill(undefined), 2],
  );
});

test('then counting starts again', () => {
  const budget = new HitBudget(() => 0, 10);
  assert.deepEqual([budget.hit(1), budget.hit(1), budget.hit(2), budget.hit(2)], [undefined, 1, undefined, 2]);
});
