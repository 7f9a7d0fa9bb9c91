import assert from 'node:assert/strict';
import { test } from 'node:test';
import { watchPromiseMakers } from './promise-makers.js';

const MS = 1_000_000;

test('who makes promises is looked for in a hundredth of the time, first for those without a parent', () => {
  let [now, found] = [0, 0];
  const makers = watchPromiseMakers(
    () => ++found,
    () => now,
  );
  const looksOf = (make: () => unknown): number => {
    const before = found;
    for (let i = 0; i < 2000; i++) make();
    return found - before;
  };
  const parent = Promise.resolve();
  try {
    const [first, ...counts] = [
      new Promise(() => {}),
      looksOf(() => parent.then()),
      looksOf(() => new Promise(() => {})),
      looksOf(() => new Promise(() => {})),
    ];
    assert.equal(makers.of(first as object), 2);
    assert.deepEqual(counts, [498, 500, 0]);
    now += 25 * MS;
    assert.equal(
      looksOf(() => new Promise(() => {})),
      100,
    );
    assert.equal(makers.of(new Promise(() => {})), 0);
  } finally {
    makers.end();
  }
});
