import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kallsymsLine, SymbolTable } from './symbols.js';
import type { TextSymbol } from './text-symbol.js';

const symbol = (name: string, low: number, size: number, module = ''): TextSymbol => ({
  name,
  module,
  low,
  size,
  params: [],
  type: 't',
});
const table = new SymbolTable();
table.add(0xffffffff, [
  symbol('outer', 0x81000000, 0x100),
  symbol('inner', 0x81000010, 0x20),
  symbol('get', 0x81000200, 8, 'express'),
]);
table.add(0xffffffff, [symbol('late', 0x81000040, 0x10)]);

test('an address inside nested functions is the innermost one’s', () => {
  const names = [0x81000000, 0x8100000f, 0x81000010, 0x8100002f, 0x81000030, 0x81000045, 0x810000ff].map(
    (low) => table.find(0xffffffff, low)?.name,
  );
  assert.deepEqual(names, ['outer', 'outer', 'inner', 'inner', 'outer', 'late', 'outer']);
  assert.equal(table.find(0xffffffff, 0x81000100), undefined);
  assert.equal(table.find(0xfffffffe, 0x81000000), undefined);
});

test('kallsyms lists them in order, an outer function again behind each inner one', () => {
  assert.equal(
    [...table.parts()].map(([high, one]) => kallsymsLine(high, one)).join(''),
    [
      'ffffffff81000000 t outer\n',
      'ffffffff81000010 t inner\n',
      'ffffffff81000030 t outer\n',
      'ffffffff81000040 t late\n',
      'ffffffff81000050 t outer\n',
      'ffffffff81000200 t get\t[express]\n',
    ].join(''),
  );
});
