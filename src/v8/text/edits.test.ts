import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PIECE_NUMBER } from '../instrument/walk.js';
import { deserializeEdits, EditReader, EditWriter, serializeEdits } from './edits.js';

const example = () => {
  const writer = new EditWriter();
  writer.at(12, 0, 12, PIECE_NUMBER.entry);
  for (const value of [0, 1, 1, 2, 1]) writer.number(value);
  writer.at(12, 0, 12, PIECE_NUMBER.value);
  writer.at(300, 7, 20, PIECE_NUMBER.pendingClose);
  writer.number(200);
  writer.at(310, 7, 30, PIECE_NUMBER.place);
  for (const value of [-5, -1]) writer.signed(value);
  writer.number(4);
  writer.at(310, 7, 30, PIECE_NUMBER.place);
  for (const value of [290, 7]) writer.signed(value);
  writer.number(20);
  return writer.finish(1);
};

test('edits are read as they were written', () => {
  const reader = new EditReader(example());
  assert.ok(reader.next());
  assert.deepEqual([reader.offset, reader.functionIndex, reader.first, reader.names, reader.spans], [12, 0, 1, 1, [10, 11]]);
  assert.ok(reader.next());
  assert.deepEqual([reader.offset, reader.line, reader.column, reader.piece], [12, 0, 12, PIECE_NUMBER.value]);
  assert.ok(reader.next());
  assert.deepEqual([reader.offset, reader.line, reader.column, reader.first], [300, 7, 20, 200]);
  assert.ok(reader.next());
  assert.deepEqual([reader.first, reader.second, reader.third], [315, 8, 4]);
  assert.ok(reader.next());
  assert.deepEqual([reader.first, reader.second, reader.third], [20, 0, 20]);
  assert.ok(!reader.next());
});

test('the stored form keeps them', () => {
  const edits = example();
  assert.deepEqual(deserializeEdits(serializeEdits(edits)), edits);
});

test('a stored form of another format is refused', () => {
  const stored = serializeEdits(example());
  stored[1] = 255;
  assert.equal(deserializeEdits(stored), undefined);
  assert.equal(deserializeEdits(new Uint8Array(3)), undefined);
});
