import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EVALUATION, HitBudget } from './hit-budget.js';

/**
 * A budget of a quarter of the time and 50 ms at once, and a thread that does `rest` milliseconds of its own between two hits.
 */
function thread(rest: number, share = 0.25) {
  let now = 0;
  const budget = new HitBudget(() => now, { share, burst: 50 });
  return (n: number, took: number): number | undefined => {
    now += rest + took + EVALUATION;
    return budget.hit(n, took);
  };
}

/** How many hits in a row are within the budget, of at most so many. */
function allowed(hit: (n: number, took: number) => number | undefined, took: number, most = 10_000): number {
  for (let i = 0; i < most; i++) if (hit(1, took) !== undefined) return i;
  return most;
}

test('hits that take less than their share of the time go on for ever, cheap ones and dear ones', () => {
  assert.equal(allowed(thread(0.375), 0), 10_000);
  assert.equal(allowed(thread(30), 9.875), 10_000);
});

test('hits that take more end after the burst: so many milliseconds of them, however many hits that are', () => {
  assert.equal(allowed(thread(0, 0), 0), 400);
  assert.equal(allowed(thread(0, 0), 0.875), 50);
  assert.equal(allowed(thread(0.125), 0), 799);
});

test('one hit that takes very long does not end its probe, two in a row do not, three do', () => {
  assert.equal(allowed(thread(0, 0), 1000), 2);
  assert.equal(allowed(thread(0), 1000), 2);
  assert.equal(allowed(thread(100), 1000), 10_000);
});

test('the one that has taken most of the time is out, not the one with most hits', () => {
  const hit = thread(0, 0);
  const ended = new Set<number | undefined>();
  for (let i = 0; i < 100; i++)
    for (const [n, took] of [[1, 0] as const, [1, 0] as const, [2, 0.9] as const]) ended.add(hit(n, took));
  assert.deepEqual([...ended], [undefined, 2]);
});

test('a pause empties the bucket', () => {
  let now = 0;
  const budget = new HitBudget(() => now, { share: 0.25, burst: 50 });
  for (let i = 0; i < 390; i++) assert.equal(budget.hit(1, 0), undefined);
  now += 196;
  for (let i = 0; i < 390; i++) assert.equal(budget.hit(1, 0), undefined);
});
