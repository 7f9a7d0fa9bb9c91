import assert from 'node:assert/strict';
import { test } from 'node:test';
import { userText } from './user-text.js';

test('a text ends at its first NUL, or where the buffer does', () => {
  assert.equal(userText('nop\0junk'), 'nop');
  assert.equal(userText('nop   junk', 6), 'nop   ');
  assert.equal(userText('nop'), 'nop');
});
