import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isEntry } from './is-entry.js';

const at = (name: string, fromColumn: number, column: number, line = 3): boolean =>
  isEntry({ name, url: '/app.js', line, column, fromLine: 3, fromColumn, isAsync: false });

test('a function is entered at its parameters', () => {
  assert.equal(at('load', 9, 9), true);
  assert.equal(at('next', 1, 1 + 'function next'.length), true);
  assert.equal(at('next', 1, 1 + 'async function* next'.length), true);
  assert.equal(at('', 5, 5 + 'function '.length), true);
  assert.equal(at('next', 1, 1 + 'function next() {'.length), false);
  assert.equal(at('next', 1, 1 + 'function next'.length, 4), false);
  assert.equal(isEntry({ name: 'parse', url: '', line: 0, column: 0, fromLine: 0, fromColumn: 0, isAsync: false }), false);
});
