import assert from 'node:assert/strict';
import { test } from 'node:test';
import { symbolParts } from './symbol-parts.js';
import type { TextSymbol } from './text-symbol.js';

const parts = (...symbols: readonly (readonly [name: string, low: number, end: number])[]): string[] => {
  const table = symbols.map(([name, low, end]): TextSymbol => {
    return { name, low, size: end - low, module: '', params: [], type: 't' };
  });
  return [...symbolParts(table)].map(({ name, low }) => `${low} ${name}`);
};

test('functions side by side are listed once', () => {
  assert.deepEqual(parts(['f', 0, 10], ['g', 10, 20], ['h', 25, 30]), ['0 f', '10 g', '25 h']);
});

test('a function that goes on behind an inner one is listed again there', () => {
  assert.deepEqual(parts(['f', 0, 50], ['a', 10, 20], ['b', 30, 40]), ['0 f', '10 a', '20 f', '30 b', '40 f']);
});

test('but not where the next inner one begins at once, nor where it ends itself', () => {
  assert.deepEqual(parts(['f', 0, 50], ['a', 10, 20], ['b', 20, 50], ['c', 40, 50]), ['0 f', '10 a', '20 b', '40 c']);
});

test('functions that end one behind the other give way to the next around', () => {
  assert.deepEqual(parts(['file', 0, 90], ['f', 5, 50], ['g', 10, 40], ['h', 20, 40], ['k', 60, 70]), [
    '0 file',
    '5 f',
    '10 g',
    '20 h',
    '40 f',
    '50 file',
    '60 k',
    '70 file',
  ]);
});
