import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseAddress } from '../base/address.js';
import { kallsymsLine, SymbolTable, symbolParts, type TextSymbol } from './symbols.js';

const symbol = (name: string, digits: string, size: number, module = ''): TextSymbol => ({
  name,
  module,
  address: parseAddress(digits),
  size,
  params: [],
  type: 't',
});
const table = new SymbolTable();
table.add([
  symbol('outer', 'ffffffff81000000', 0x100),
  symbol('inner', 'ffffffff81000010', 0x20),
  symbol('get', 'ffffffff81000200', 8, 'express'),
]);
table.add([symbol('late', 'ffffffff81000040', 0x10)]);
table.add([symbol('malloc', '7f1234567000', 0x80, 'libc.so.6'), symbol('main', '555555554000', 0x40)]);

const nameAt = (digits: string): string | undefined => table.find(parseAddress(digits))?.name;

test('an address inside nested functions is the innermost one’s', () => {
  const ends = ['000', '00f', '010', '02f', '030', '045', '0ff'];
  assert.deepEqual(
    ends.map((end) => nameAt(`ffffffff81000${end}`)),
    ['outer', 'outer', 'inner', 'inner', 'outer', 'late', 'outer'],
  );
  assert.equal(nameAt('ffffffff81000100'), undefined);
});

test('texts that lie far apart have names, and what is between them has none', () => {
  assert.deepEqual(['555555554000', '55555555403f', '7f1234567000', '7f123456707f'].map(nameAt), [
    'main',
    'main',
    'malloc',
    'malloc',
  ]);
  for (const digits of ['81000000', '555555553fff', '555555554040', '7f1234567080', 'fffffffe81000000', 'ffffffffffffffff']) {
    assert.equal(nameAt(digits), undefined, digits);
  }
});

test('kallsyms lists them in order, an outer function again behind each inner one', () => {
  assert.equal(
    [...table.parts()].map(kallsymsLine).join(''),
    [
      '0000555555554000 t main\n',
      '00007f1234567000 t malloc\t[libc.so.6]\n',
      'ffffffff81000000 t outer\n',
      'ffffffff81000010 t inner\n',
      'ffffffff81000030 t outer\n',
      'ffffffff81000040 t late\n',
      'ffffffff81000050 t outer\n',
      'ffffffff81000200 t get\t[express]\n',
    ].join(''),
  );
});

const parts = (...symbols: readonly (readonly [name: string, address: number, end: number])[]): string[] => {
  const sorted = symbols.map(([name, address, end]): TextSymbol => {
    return { name, address, size: end - address, module: '', params: [], type: 't' };
  });
  return [...symbolParts(sorted)].map(({ name, address }) => `${address} ${name}`);
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
