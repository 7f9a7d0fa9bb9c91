import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wordsOfParameters } from './parameter-names.js';

const CASES: readonly (readonly [string, readonly string[]])[] = [
  ['(a, b) { return a; }', ['a', 'b']],
  ['() { a(b); }', []],
  ['word => word.length', ['word']],
  ['async word => word', ['word']],
  ['async (a) => b', ['a']],
  ['({ id, text: { deep } }, [first, ...rest], ...more) => id', ['id', 'text', 'deep', 'first', 'rest', 'more']],
  ["(a = ')', b = f(c, d), /* e */ g) { h(); }", ['a', 'b', 'f', 'c', 'd', 'g']],
  ['(a, // )\n b) { c; }', ['a', 'b']],
  ['(näme, $x, _) { }', ['näme', '$x', '_']],
  ['', []],
];

for (const [text, words] of CASES) {
  test(`the words in the parameters of ${JSON.stringify(text)}`, () => assert.deepEqual(wordsOfParameters(text), words));
}
