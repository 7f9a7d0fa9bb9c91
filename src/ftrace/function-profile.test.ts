import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FunctionProfile } from './function-profile.js';

test('rows are the functions that were called, the longest time first', () => {
  const profile = FunctionProfile.create(10);
  profile.hits[3] = 2;
  profile.time[3] = 100;
  profile.hits[7] = 1;
  profile.time[7] = 500;
  profile.squares[7] = 250_000;
  assert.deepEqual(profile.rows(), [
    { n: 7, hits: 1, time: 500, squares: 250_000 },
    { n: 3, hits: 2, time: 100, squares: 0 },
  ]);
});

test('both threads see the same counts', () => {
  const written = FunctionProfile.create(10);
  const read = new FunctionProfile(written.memory);
  written.hits[1]!++;
  assert.equal(read.rows()[0]?.hits, 1);
});

test('a larger one takes the counts over', () => {
  const small = FunctionProfile.create(1000);
  small.hits[999] = 5;
  small.time[999] = 50;
  const large = FunctionProfile.create(small.capacity + 1);
  assert.equal(large.isUsed, false);
  large.use(small);
  assert.equal(large.isUsed, true);
  assert.ok(large.capacity > small.capacity);
  assert.deepEqual(large.rows(), [{ n: 999, hits: 5, time: 50, squares: 0 }]);
});

test('a reset forgets everything', () => {
  const profile = FunctionProfile.create(10);
  profile.hits[3] = 2;
  profile.reset();
  assert.deepEqual(profile.rows(), []);
});
