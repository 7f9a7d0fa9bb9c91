import assert from 'node:assert/strict';
import { test } from 'node:test';
import { beginsWithLoop } from './begins-with-loop.js';

for (const body of [
  'while (x) {}',
  ' do { x() } while (y)',
  'for (;;) {}',
  '\n  // why\n  again: while (1) {}',
  'for ( ; x; ) {}',
]) {
  test(`${body.trim()} comes back to its beginning`, () => assert.equal(beginsWithLoop(`{${body}}`, 1), true));
}
for (const body of ['for (let i = 0; i < 2; i++) {}', 'for (const x of y) {}', 'whiles();', 'x = 1; while (x) {}', '']) {
  test(`${body === '' ? 'an empty body' : body} does not`, () => assert.equal(beginsWithLoop(`{${body}}`, 1), false));
}
