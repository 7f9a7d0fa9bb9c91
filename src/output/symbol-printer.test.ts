import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SymbolTable } from '../ftrace/symbols.js';
import { symbolText } from './symbol-printer.js';

const table = new SymbolTable();
table.add([
  { name: 'outer', module: '', address: -0x7f000000, size: 0x100, params: [], type: 't' },
  { name: 'get', module: 'express', address: -0x7efffe00, size: 8, params: [], type: 't' },
]);

const PLAIN = { module: false, offset: false, address: false };

test('addresses print as the options say', () => {
  assert.equal(symbolText(table, PLAIN, -0x7efffe00), 'get');
  assert.equal(symbolText(table, { ...PLAIN, module: true }, -0x7efffe00), 'get [express]');
  assert.equal(symbolText(table, { module: true, offset: true, address: false }, -0x7efffdfd), 'get+0x3/0x8 [express]');
  assert.equal(symbolText(table, { ...PLAIN, address: true }, -0x7f000000), 'outer <ffffffff81000000>');
  assert.equal(symbolText(table, PLAIN, -0x70000000), '0xffffffff90000000');
  assert.equal(symbolText(table, PLAIN, 0), '0');
});
