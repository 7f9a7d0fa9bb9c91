import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PIECES } from './pieces.js';

test('no piece breaks a line, and only one ends a statement', () => {
  for (const [name, text] of Object.entries(PIECES)) {
    assert.doesNotMatch(text, /[\n\r]/);
    assert.equal(text.includes(';'), name === 'semicolon');
  }
});
