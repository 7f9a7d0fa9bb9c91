import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FUNCTION_KIND, type JsFunction } from '../js-text.js';
import { decodeFunctions, encodeFunctions } from './function-table.js';

const functions: JsFunction[] = [
  { start: 0, end: 40, line: 1, column: 1, name: 'main', kind: FUNCTION_KIND.function, params: [], hasThis: false },
  {
    start: 41,
    end: 900_000,
    line: 70_000,
    column: 512,
    name: 'Café.é',
    kind: FUNCTION_KIND['async-generator'],
    params: ['a', 'ß'],
    hasThis: true,
  },
  { start: 50, end: 60, line: 2, column: 3, name: 'h', kind: FUNCTION_KIND.arrow, params: ['x'], hasThis: false, reason: 'with' },
  {
    start: 70,
    end: 900_001,
    line: 3,
    column: 1,
    name: '',
    kind: FUNCTION_KIND.module,
    params: [],
    hasThis: false,
    imports: ['./a b,c.mjs', 'x\t\ny'],
  },
];

test('functions come back as they were', () => {
  assert.deepEqual(decodeFunctions(encodeFunctions(functions), functions.length), functions);
});

test('a text without functions has a table too', () => {
  assert.deepEqual(decodeFunctions(encodeFunctions([]), 0), []);
});
