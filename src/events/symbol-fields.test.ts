import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defineEvent } from './define.js';
import { address, one } from './fields.js';
import { symbolFields } from './symbol-fields.js';

const fields = { n: one('int'), site: address, ptr: one('unsigned long'), fun: address };
const found = (print: string): readonly number[] => symbolFields(defineEvent('x', 'y', { fields, print }));

test('what is printed as a symbol is an address of text', () => {
  assert.deepEqual(
    found('"call_site=%pS ptr=%p n=%*d (%ps)", (void *)REC->site, REC->ptr, 5, REC->n, (void *)REC->fun'),
    [16, 32],
  );
  assert.deepEqual(found('"100%% " "%-20pS", REC->site'), [16]);
});

test('what is computed, too small, or cannot be read is none', () => {
  assert.deepEqual(found('"%pS %ps", REC->site + 1, REC->n'), []);
  assert.deepEqual(found('"%pS", REC->site @'), []);
  assert.deepEqual(found('"%pS"'), []);
});
