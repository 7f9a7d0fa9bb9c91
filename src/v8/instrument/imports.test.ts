import assert from 'node:assert/strict';
import { test } from 'node:test';
import { instrument } from './index.js';

const mayImport = (source: string): boolean => {
  const made = instrument(source, 'commonjs');
  assert.ok('edits' in made, source);
  return made.mayImport;
};

test('a text may call import() by itself, or in code that it makes', () => {
  for (const source of [
    'import("a")',
    'const f = () => import("a")',
    'eval("x")',
    'globalThis.eval(x)',
    '(0, eval)(x)',
    'new Function("a", "return import(a)")',
    'Function("x")',
    'const F = Function; F("x")',
    'module.exports = { Function }',
    'f(Function)',
    'global.Function("x")',
    'Function.call(null, "x")',
    'const A = Object.getPrototypeOf(async function () {}).constructor',
    '(async () => {}).constructor("x")',
  ])
    assert.equal(mayImport(source), true, source);
});

test('a text that only speaks of them cannot', () => {
  for (const source of [
    '// import("a"), eval("b"), new Function("c")',
    'x = "import(a)"',
    'f instanceof Function',
    'Function.prototype.call',
    'Kinds.Function = 1',
    'const o = { Function: 1, eval: 2 }',
    'class A { eval() {} Function = 1 }',
    'new this.constructor()',
    'x.constructor(1)',
    'class B { constructor() {} }',
  ])
    assert.equal(mayImport(source), false, source);
});
