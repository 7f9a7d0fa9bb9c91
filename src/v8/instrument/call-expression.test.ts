import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callExpressionAt } from './call-expression.js';

const callAt = (code: string, mark: string) => {
  const call = callExpressionAt(code, code.indexOf(mark));
  return call && code.slice(call.start, call.end);
};

test('the call at a place is found', () => {
  assert.equal(callAt('t(() => { return assert(null, 1) })', 'assert'), 'assert(null, 1)');
  assert.equal(callAt('if (x) assert.ok(typeof 1 === "a"); more', 'ok'), 'assert.ok(typeof 1 === "a")');
});

test('of calls within calls the innermost around the place counts', () => {
  assert.equal(callAt('assert.equal(assert(0), 1)', 'assert(0'), 'assert(0)');
});

test('a call may go on over lines, and what follows it may be broken off', () => {
  assert.equal(callAt('assert(f(\n  1,\n))\nif (', 'assert'), 'assert(f(\n  1,\n))');
});

test('a call that does not end, or no call, is none', () => {
  assert.equal(callAt('assert(f(', 'assert'), undefined);
  assert.equal(callAt('let a = "assert"', '"'), undefined);
});
