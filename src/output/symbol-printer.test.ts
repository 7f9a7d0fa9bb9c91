import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SymbolTable } from '../core/symbols.js';
import { symbolText } from './symbol-printer.js';

const table = new SymbolTable();
table.add(0xffffffff, [
  { name: 'outer', module: '', low: 0x81000000, size: 0x100, params: [], type: 't' },
  { name: 'get', module: 'express', low: 0x81000200, size: 8, params: [], type: 't' },
]);

const PLAIN = { module: false, offset: false, address: false };

test('addresses print as the options say', () => {
  assert.equal(symbolText(table, PLAIN, 0xffffffff, 0x81000200), 'get');
  assert.equal(symbolText(table, { ...PLAIN, module: true }, 0xffffffff, 0x81000200), 'get [express]');
  assert.equal(
    symbolText(table, { module: true, offset: true, address: false }, 0xffffffff, 0x81000203),
    'get+0x3/0x8 [express]',
  );
  assert.equal(symbolText(table, { ...PLAIN, address: true }, 0xffffffff, 0x81000000), 'outer <ffffffff81000000>');
  assert.equal(symbolText(table, PLAIN, 0xffffffff, 0x90000000), '0xffffffff90000000');
  assert.equal(symbolText(table, PLAIN, 0, 0), '0');
});
