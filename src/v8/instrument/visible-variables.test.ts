import assert from 'node:assert/strict';
import { test } from 'node:test';
import { instrument } from './index.js';
import { visibleVariables } from './visible-variables.js';

/** What is visible at the text `at` of a source, in the function with this symbol; without `at` at the function's entry. */
function visible(source: string, symbol: string, at?: string, type: 'commonjs' | 'module' = 'commonjs'): string {
  const found = instrument(source, type);
  assert.ok('functions' in found);
  const one = found.functions.find(({ name }) => name === symbol);
  assert.ok(one, `${symbol} is one of ${found.functions.map(({ name }) => name)}`);
  const offset = at === undefined ? 0 : source.indexOf(at, one.start) - one.start;
  return visibleVariables(source, one, offset)
    .map(({ kind, name }) => `${kind} ${name}`)
    .join(', ');
}

const SUM = `const rates = { a: 2 }, unused = 1;
function sum(list, { from = 0, ...rest }, [first]) {
  let total = from;
  for (const one of list) {
    const rated = one * rates.a;
    total += rated;
  }
  var last = total;
  return total;
}`;

test('at the entry there is what the call brought, and what the module keeps for its functions', () => {
  assert.equal(
    visible(SUM, 'sum'),
    'receiver this, parameter list, parameter from, parameter rest, parameter first, module const rates',
  );
});

test('inside there are the variables that have a value, the innermost first', () => {
  const parameters = 'receiver this, parameter list, parameter from, parameter rest, parameter first';
  assert.equal(
    visible(SUM, 'sum', 'total += '),
    `${parameters}, const rated, const one, let total, var last, module const rates`,
  );
  assert.equal(visible(SUM, 'sum', 'one * rates'), `${parameters}, const one, let total, var last, module const rates`);
  assert.equal(visible(SUM, 'sum', 'return'), `${parameters}, let total, var last, module const rates`);
});

test('an inner function sees of the outer ones what it uses, an arrow their `this`', () => {
  const source = `function outer(a, b) {
  const c = 1, d = 2;
  return this.list.map((one) => {
    const both = this.factor * a + c;
    return both + one;
  });
}`;
  assert.equal(visible(source, 'outer.map@3', 'return both'), 'closure this, parameter one, const both, closure c, closure a');
});

test('methods, accessors and class fields have their own names', () => {
  const source = 'class Shelf { get size() { let s = this.n; return s; } grow = (by) => { return by; }; }';
  assert.equal(visible(source, 'Shelf.get.size', 'return s'), 'receiver this, let s');
  assert.equal(visible(source, 'Shelf.grow', 'return by'), 'parameter by');
});

test('catch, switch, labels and hidden names', () => {
  const source = `import { log } from 'x';
export async function load(id) {
  try { await id; } catch ({ code }) { log(code); }
  switch (id) { case 1: const one = 1; return one; }
  { let id = 2; log(id); }
}`;
  assert.equal(
    visible(source, 'load', 'log(code)', 'module'),
    'receiver this, parameter id, catch code, module import log, module function load',
  );
  assert.equal(
    visible(source, 'load', 'return one', 'module'),
    'receiver this, parameter id, const one, module import log, module function load',
  );
});

test('of a module there is what some function uses, and what it exports', () => {
  const source = 'export const tax = 5; const lonely = 7; let both = 1; export { both }; export class K {} function f() {}';
  assert.equal(visible(source, 'f', undefined, 'module'), 'receiver this, module const tax, module let both, module class K');
});

test('a source that no parser reads has none', () => {
  assert.deepEqual(visibleVariables('function (', { start: 0, end: 10 }, 0), []);
});
