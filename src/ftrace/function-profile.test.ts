import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addProfiles, FunctionProfile } from './function-profile.js';
import { IntegerProfile } from './integer-profile.js';

test('rows are the functions that were called, the longest time first', () => {
  const profile = FunctionProfile.create(10);
  profile.hits[3] = 2;
  profile.time[3] = 100;
  profile.hits[7] = 1;
  profile.time[7] = 500;
  profile.squares[7] = 250_000;
  assert.deepEqual(addProfiles([profile]), [
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

test('a larger one goes on with the counts of a smaller one', () => {
  const small = FunctionProfile.create(1000);
  small.hits[999] = 5;
  small.time[999] = 50;
  const large = FunctionProfile.create(small.capacity + 1);
  assert.ok(large.capacity > small.capacity);
  large.hits[999] = 1;
  large.time[999] = 7;
  large.squares[999] = 49;
  assert.deepEqual(addProfiles([small, large]), [{ n: 999, hits: 6, time: 57, squares: 49 }]);
});

test('whole numbers are counted beyond 64 bits of squares', () => {
  const profile = new IntegerProfile(new SharedArrayBuffer(4096));
  new BigUint64Array(profile.memory).set([3n, 5_000_000_000n, 1n, 2n], 4 * 5);
  assert.deepEqual(profile.rows(), [{ n: 5, hits: 3, time: 5e9, squares: 2 ** 65 }]);
  profile.reset();
  assert.deepEqual(profile.rows(), []);
});

test('a reset forgets everything', () => {
  const profile = FunctionProfile.create(10);
  profile.hits[3] = 2;
  profile.reset();
  assert.deepEqual(profile.rows(), []);
});
