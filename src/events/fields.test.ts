import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defineEvent } from './define.js';
import { address, array, dynamic, type FieldSpecs, one, rest } from './fields.js';
import { formatFile } from './format-file.js';

const linesOf = (fields: FieldSpecs, packed = false): string[] =>
  formatFile({ ...defineEvent('test', 'sample', { fields, print: '""', packed }), id: 1 })
    .split('\n')
    .filter((line) => /field:(?!.*common_)/.test(line))
    .map((line) => line.replace(/\s*field:|;$/g, '').replaceAll(';\t', ' '));

test('fields lie as in a struct of C', () => {
  const fields = { a: one('u8'), b: one('u16'), c: one('char'), d: one('long'), e: array('char', 3), f: array('int', 2) };
  assert.deepEqual(linesOf(fields), [
    'u8 a offset:8 size:1 signed:0',
    'u16 b offset:10 size:2 signed:0',
    'char c offset:12 size:1 signed:1',
    'long d offset:16 size:8 signed:1',
    'char e[3] offset:24 size:3 signed:1',
    'int f[2] offset:28 size:8 signed:1',
  ]);
});

test('packed fields follow each other without a gap', () => {
  assert.deepEqual(linesOf({ a: one('u8'), b: address, c: one('u16') }, true), [
    'u8 a offset:8 size:1 signed:0',
    'unsigned long b offset:9 size:8 signed:0',
    'u16 c offset:17 size:2 signed:0',
  ]);
});

test('what has no fixed length is shown as the kernel shows it', () => {
  assert.deepEqual(linesOf({ name: dynamic('char'), cpus: dynamic('unsigned long'), buf: rest('u32') }), [
    '__data_loc char[] name offset:8 size:4 signed:1',
    '__data_loc unsigned long[] cpus offset:12 size:4 signed:0',
    'u32 buf[] offset:16 size:0 signed:0',
  ]);
});

test('a record is a multiple of its widest field, unless it is packed', () => {
  const size = (fields: FieldSpecs, packed = false): number => defineEvent('t', 't', { fields, print: '""', packed }).size;
  assert.equal(size({ a: one('u64'), b: one('u8') }), 24);
  assert.equal(size({ a: one('u8') }), 12);
  assert.equal(size({ a: one('u64'), b: one('u8') }, true), 17);
});
