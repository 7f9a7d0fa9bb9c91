import assert from 'node:assert/strict';
import { test } from 'node:test';
import { grown } from './grown.js';

test('an array with room stays, another one is at least doubled', () => {
  const two = Uint32Array.of(1, 2);
  assert.equal(grown(two, 2), two);
  assert.deepEqual(grown(two, 3), Uint32Array.of(1, 2, 0, 0));
  assert.deepEqual(grown(two, 5), Uint32Array.of(1, 2, 0, 0, 0));
});
