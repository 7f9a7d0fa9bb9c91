import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DeepestStack, STACK_ENTRIES } from './deepest-stack.js';

test('only a larger stack raises the maximum, and the one that did so last is read', () => {
  const written = DeepestStack.create(3);
  const read = new DeepestStack(written.memory);
  assert.equal(read.read(), undefined);
  assert.equal(written.raise(100), true);
  written.write(2, Float64Array.of(-0x7efffffb), [-0x7f000000], [100]);
  assert.equal(written.raise(100), false);
  assert.equal(written.raise(200), true);
  written.write(0, Float64Array.of(0x7f1234567105, -0x7efffffb), [0x7f1234567100], [200]);
  assert.equal(read.maxSize, 200);
  assert.deepEqual(read.read(), {
    frames: [0x7f1234567105, -0x7efffffb],
    measured: [{ address: 0x7f1234567100, depth: 200 }],
  });
});

test('after a reset a smaller stack is the deepest', () => {
  const stack = DeepestStack.create(2);
  stack.raise(500);
  stack.write(1, Float64Array.of(1), [1], [500]);
  stack.maxSize = 0;
  assert.deepEqual(stack.read()?.frames, [1], 'the last one stays until there is another');
  stack.raise(10);
  stack.write(0, Float64Array.of(2), [2], [10]);
  assert.deepEqual(stack.read()?.frames, [2]);
});

test('of a very deep stack the innermost frames are kept', () => {
  const stack = DeepestStack.create(1);
  const many = Float64Array.from({ length: STACK_ENTRIES + 9 }, (_, i) => i + 1);
  stack.write(0, many, many, many);
  assert.equal(stack.read()?.frames.length, STACK_ENTRIES);
  assert.equal(stack.read()?.measured.length, STACK_ENTRIES);
});

test('a stack that a terminated thread did not finish to write is not shown', () => {
  const stack = DeepestStack.create(2);
  stack.write(0, Float64Array.of(7), [7], [7]);
  const never = Object.assign(Float64Array.of(8), {
    subarray: () => {
      throw new Error('terminated');
    },
  });
  assert.throws(() => stack.write(1, never, [8], [8]));
  assert.deepEqual(stack.read()?.frames, [7]);
});
