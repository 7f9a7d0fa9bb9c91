import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseListedPlace } from './parse-listed-place.js';

const SYMBOLS = ['sum', 'app.get/items/{id}@12', 'odd+1', 'express:handle'];
const place = (text: string) =>
  parseListedPlace(text, (module, symbol) =>
    SYMBOLS.includes(module === undefined ? symbol.replace(':', '?') : `${module}:${symbol}`),
  );

test('a function, its lines, an offset, its end', () => {
  assert.deepEqual(place('sum'), { kind: 'function', symbol: 'sum' });
  assert.deepEqual(place('sum:3'), { kind: 'function', symbol: 'sum', lines: { from: 3 } });
  assert.deepEqual(place('sum:3-5'), { kind: 'function', symbol: 'sum', lines: { from: 3, to: 5 } });
  assert.deepEqual(place('sum:3+2'), { kind: 'function', symbol: 'sum', lines: { from: 3, to: 4 } });
  assert.deepEqual(place('sum+0x1b'), { kind: 'function', symbol: 'sum', offset: 27 });
  assert.deepEqual(place('sum%return'), { kind: 'function', symbol: 'sum', isReturn: true });
});

test('a function of a package, and of one of several files', () => {
  assert.deepEqual(place('express:handle:2'), { kind: 'function', module: 'express', symbol: 'handle', lines: { from: 2 } });
  assert.deepEqual(place('sum@src/shop.ts:2'), { kind: 'function', symbol: 'sum', file: 'src/shop.ts', lines: { from: 2 } });
});

test('a symbol may have the characters that stand between the parts', () => {
  assert.deepEqual(place('app.get/items/{id}@12'), { kind: 'function', symbol: 'app.get/items/{id}@12' });
  assert.deepEqual(place('app.get/items/{id}@12@api.js'), {
    kind: 'function',
    symbol: 'app.get/items/{id}@12',
    file: 'api.js',
  });
  assert.deepEqual(place('sum@shop.js%return'), { kind: 'function', symbol: 'sum', file: 'shop.js', isReturn: true });
  assert.deepEqual(place('sum@shop.js+4'), { kind: 'function', symbol: 'sum', file: 'shop.js', offset: 4 });
  assert.deepEqual(place('odd+1+4'), { kind: 'function', symbol: 'odd+1', offset: 4 });
});

test('a file', () => {
  assert.deepEqual(place('src/shop.ts'), { kind: 'file', file: 'src/shop.ts' });
  assert.deepEqual(place('shop.mjs:10-20'), { kind: 'file', file: 'shop.mjs', lines: { from: 10, to: 20 } });
});

test('anything else is none', () => {
  for (const text of ['', 'nothing', 'nothing:3', 'nothing%return', 'sum:x', 'sum@', ':', '+1'])
    assert.equal(place(text), undefined, text);
});
