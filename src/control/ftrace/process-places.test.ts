import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rangesWithoutInner } from './process-places.js';

const SOURCE = 'function f(a) { a.map((b) => b); const c = () => () => 1; return c; } function g() {}';

const spanOf = (text: string) => ({ start: SOURCE.indexOf(text), end: SOURCE.indexOf(text) + text.length });
const f = spanOf(SOURCE.slice(0, SOURCE.indexOf(' function g')));
const functions = [f, spanOf('(b) => b'), spanOf('() => () => 1'), spanOf('() => 1'), spanOf('function g() {}')];

const textOf = (one: { start: number; end: number }): string[] =>
  rangesWithoutInner(one, functions).map(([from, to]) => SOURCE.slice(one.start + from, one.start + to));

test('the ranges of a function leave the functions inside it out', () => {
  assert.deepEqual(textOf(f), ['unction f(a) { a.map((', '); const c = (', '; return c; }']);
});

test('a function without others inside it is one range', () => {
  assert.deepEqual(textOf(functions[4]!), ['unction g() {}']);
});

test('an arrow that is the whole body of another', () => {
  assert.deepEqual(textOf(functions[2]!), [') => (']);
});
