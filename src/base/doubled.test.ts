import assert from 'node:assert/strict';
import { test } from 'node:test';
import { doubled } from './doubled.js';

test('an array becomes one of its type that is twice as long', () => {
  assert.deepEqual(doubled(Int32Array.of(-1, 2)), Int32Array.of(-1, 2, 0, 0));
  assert.deepEqual(doubled(Float64Array.of(0.5)), Float64Array.of(0.5, 0));
});
