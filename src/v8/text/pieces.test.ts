import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PIECE_NUMBER } from '../instrument/walk.js';
import { Piece } from './edit-form.js';
import { PIECES } from './pieces.js';

test('no piece breaks a line, and only one ends a statement', () => {
  for (const [name, text] of Object.entries(PIECES)) {
    assert.doesNotMatch(text, /[\n\r]/);
    assert.equal(text.includes(';'), name === 'semicolon');
  }
});

test('the numbers of the composed pieces are theirs', () => {
  assert.deepEqual(
    [PIECE_NUMBER.entry, PIECE_NUMBER.statement, PIECE_NUMBER.place, PIECE_NUMBER.caught],
    [Piece.Entry, Piece.Statement, Piece.Place, Piece.Caught],
  );
});
