import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nearest, notOneOf } from './nearest.js';

const VERBS = ['record', 'report', 'start', 'stop', 'show', 'stat', 'cat', 'ls', 'ps'];

const MEANT: readonly (readonly [string, string | undefined])[] = [
  ['recrod', 'record'],
  ['rec', 'record'],
  ['reprot', 'report'],
  ['stats', 'stat'],
  ['cst', 'cat'],
  ['sl', 'ls'],
  ['frobnicate', undefined],
  ['', undefined],
];

test('a part of a long word may mean it', () => {
  assert.equal(nearest('graph', ['function', 'function_graph']), 'function_graph');
  assert.equal(nearest('ra', ['function', 'function_graph']), undefined, 'so short a part says nothing');
});

test('the error for a value that is not in a list has the list and the value that was probably meant', () => {
  assert.equal(notOneOf('slef', ['total', 'self']), 'must be one of total, self; did you mean self?');
  assert.equal(notOneOf('x', ['total', 'self']), 'must be one of total, self');
});

for (const [typed, verb] of MEANT) {
  test(`'${typed}' may mean ${verb ?? 'nothing that is known'}`, () => assert.equal(nearest(typed, VERBS), verb));
}
