import assert from 'node:assert/strict';
import { test } from 'node:test';
import { classTest } from './class-places.js';

/** The text with what is in classes, and not in functions inside of them, as dots. */
function marked(source: string): string {
  const isIn = classTest(source, false);
  return [...source].map((unit, i) => (isIn(i) ? '.' : unit)).join('');
}

test('fields, static blocks and computed names are in the class; methods and inner functions are not', () => {
  assert.equal(
    marked('f(class extends b() { [c()] = d(e); static x = () => f; static { g(); } m() { h(); } }, i);'),
    'f(..............................................) => f....................) { h(); }... i);',
  );
});

test('a class in a function in a class is one again', () => {
  assert.equal(
    marked('x = class { a = function () { return class { b = c }; } };'),
    'x = .............unction () { return ................ }...',
  );
});
