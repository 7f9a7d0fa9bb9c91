import assert from 'node:assert/strict';
import { test } from 'node:test';
import { initializerTest } from './class-initializers.js';

/** The text with what is in initializers, and not in functions inside of them, as dots. */
function marked(source: string): string {
  const isIn = initializerTest(source, false);
  return [...source].map((unit, i) => (isIn(i) ? '.' : unit)).join('');
}

test('the values of fields and static blocks are initializers; names, methods and inner functions are none', () => {
  assert.equal(
    marked('class A extends b() { [c()] = d(e); static x = () => f; static { g(); } m() { h(); } };'),
    '.lass A extends b() { [c()] = ..... static x = .) => f. ................m() { h(); } }.',
  );
});

test('a class in a function in an initializer has initializers again', () => {
  assert.equal(
    marked('x = class { a = function () { return class { b = c } } };'),
    'x = .lass { a = .unction () { return .lass { b = ..}.}.}.',
  );
});
