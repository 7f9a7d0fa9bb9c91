import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OpenActivations } from './open-activations.js';

const depthOf = (token: number): number => token % 100;

test('a return closes the innermost activation of its function', () => {
  const open = new OpenActivations(depthOf);
  open.entered(7, 101);
  open.entered(8, 102);
  open.entered(7, 103);
  assert.deepEqual([open.left(7), open.left(8), open.left(7), open.left(7)], [103, 102, 101, undefined]);
});

test('activations that an exception ended are gone at the next one of the same depth', () => {
  const open = new OpenActivations(depthOf);
  open.entered(7, 101);
  open.entered(8, 102);
  open.entered(9, 102);
  assert.deepEqual([open.left(8), open.left(9), open.left(7)], [undefined, 102, 101]);
});
