import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createStackDepth } from './stack-depth.js';

const depth = createStackDepth();
const skip = depth === undefined ? 'this system does not show the stack pointer' : false;

/** Depths of so many calls inside each other, outermost first. */
const nested = (calls: number): number[] => (calls === 0 ? [] : [depth!(), ...nested(calls - 1)]);

test('each call inside another lies deeper, by some ten or hundred bytes', { skip }, () => {
  const depths = nested(50);
  for (let i = 1; i < depths.length; i++) {
    const size = depths[i]! - depths[i - 1]!;
    assert.ok(size > 16 && size < 2000, `a frame of ${size} bytes`);
  }
});

test('the same place is as deep each time, whatever ran between', { skip }, () => {
  const first = depth!();
  nested(100);
  assert.ok(Math.abs(depth!() - first) < 1000);
});

test('a stack is never larger than V8 allows', { skip }, () => {
  assert.ok(depth!() > 0 && depth!() < 8 * 2 ** 20);
});
