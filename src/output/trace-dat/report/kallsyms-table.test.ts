import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KallsymsTable } from './kallsyms-table.js';

const table = (text: string, restore = false): ((high: number, low: number) => string | undefined) => {
  const symbols = new KallsymsTable(Buffer.from(text), restore);
  return (high, low) => {
    return symbols.find(high | 0, low | 0)?.text;
  };
};

test('an address belongs to the symbol that begins before it', () => {
  const name = table(
    'ffffffff81000100 t b\t[m]\nffffffff81000000 T a\n0000000000001000 t low\nfffffffe81000000 t other\nffffffff81000200 t c\n',
  );
  assert.equal(name(0xffffffff, 0x81000000), 'a');
  assert.equal(name(0xffffffff, 0x810000ff), 'a');
  assert.equal(name(0xffffffff, 0x81000100), 'b');
  assert.equal(name(0xfffffffe, 0x81000004), 'other');
  assert.equal(name(0, 0x1000), 'low');
  assert.equal(name(0, 0xfff), undefined);
  assert.equal(name(0x7fff, 0), 'low', 'high addresses come after low ones');
});

test('the last symbol covers its first address only, as in trace-cmd', () => {
  const name = table('ffffffff81000000 t a\nffffffff81000100 t b\n');
  assert.equal(name(0xffffffff, 0x81000100), 'b');
  assert.equal(name(0xffffffff, 0x81000101), undefined);
});

test('of several symbols at one address it shows the one that trace-cmd finds', () => {
  const name = table('10 t first\n20 t second\n20 t third\n30 t fourth\n');
  assert.equal(name(0, 0x20), 'second');
  assert.equal(name(0, 0x25), 'second');
});

test('absolute symbols and marks of the assembler are left out; fentry’s dot comes off its own names', () => {
  const text = '10 A absolute\n20 t $d\n30 t .$jquery\n40 t end\n';
  assert.equal(table(text)(0, 0x20), undefined);
  assert.equal(table(text)(0, 0x30), '.$jquery');
  assert.equal(table(text, true)(0, 0x30), '$jquery');
});

test('a thousand addresses and more are remembered right', () => {
  const name = table(Array.from({ length: 5000 }, (_, i) => `${(0x1000 + i * 16).toString(16)} t f${i}\n`).join(''));
  for (let round = 0; round < 2; round++) for (let i = 0; i < 4999; i++) assert.equal(name(0, 0x1000 + i * 16 + 3), `f${i}`);
});

test('lines that are none are passed over', () => {
  const name = table('garbage\n\n10\n10 t\n20 t a\n zz t b\n30 t c');
  assert.equal(name(0, 0x20), 'a');
  assert.equal(name(0, 0x30), 'c');
});
