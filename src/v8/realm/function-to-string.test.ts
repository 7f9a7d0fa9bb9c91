import assert from 'node:assert/strict';
import { test } from 'node:test';
import vm from 'node:vm';
import { textOf } from '../instrument/testing/test-realm.js';
import { installFunctionToString } from './function-to-string.js';

/** Two functions with sites, and others, in a realm whose functions have their original texts. */
const context = vm.createContext();
vm.runInContext(textOf('function a(x) { return x } function b(y) { return y }'), context);
const undo = installFunctionToString(vm.runInContext('Function.prototype', context));
const show = (expression: string): string[] => [...vm.runInContext(`[${expression}].map(String)`, context)];

test('functions in turn, and one again and again, have their own texts', () => {
  const [a, b] = ['function a(x) { return x }', 'function b(y) { return y }'];
  assert.deepEqual(show('a, b, a, a, a, b'), [a, b, a, a, a, b]);
  assert.deepEqual(show('x=>x, x=>x'), ['x=>x', 'x=>x']);
});

test('what is no function is refused as by V8, also when a function was shown just before', () => {
  show('a');
  for (const value of ['undefined', '1', '{}'])
    assert.throws(() => vm.runInContext(`a.toString.call(${value})`, context), {
      name: 'TypeError',
      message: /requires that 'this' be a Function/,
    });
});

test('as the name of a property a function is the same each time', () => {
  assert.equal(vm.runInContext('let o = { [a]: 1 }; for (let i = 0; i < 1000; i++) o[a]++; o[String(a)]', context), 1001);
});

test('undone, it is V8’s own', () => {
  undo();
  assert.match(show('a')[0] ?? '', /typeof \$f/);
});
