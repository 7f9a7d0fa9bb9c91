import assert from 'node:assert/strict';
import { test } from 'node:test';
import { instrument } from '../instrument/index.js';
import { PIECE_NUMBER } from '../instrument/walk.js';
import { Piece } from './edit-form.js';
import {
  deserializeEdits,
  EditReader,
  EditWriter,
  ENTRY_ARROW,
  ENTRY_GENERATOR,
  ENTRY_THIS,
  ENTRY_UNSET,
  ENTRY_VALUE,
  serializeEdits,
} from './edits.js';

const example = () => {
  const writer = new EditWriter();
  writer.at(12, 0, 12, PIECE_NUMBER.entry);
  writer.entry(0, ENTRY_THIS, [{ start: 10, end: 11 }]);
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

test('numbers and names of any size come back', () => {
  const writer = new EditWriter();
  const name = (start: number, length: number) => ({ start, end: start + length });
  const entries = [
    { at: [40, 3, 9], index: 70_000, flags: ENTRY_THIS | ENTRY_VALUE | ENTRY_UNSET, names: [name(8, 14), name(24, 15)] },
    { at: [40, 3, 9], index: 69_999, flags: ENTRY_ARROW | ENTRY_GENERATOR, names: [name(0, 40)] },
    { at: [5_000_000, 4, 4_900_000], index: 0, flags: 0, names: [] },
    {
      at: [5_000_400, 8, 2],
      index: 70_001,
      flags: ENTRY_VALUE,
      names: Array.from({ length: 40 }, (_, i) => name(i * 100_000, 2)),
    },
    { at: [5_000_500, 4_000, 0], index: 70_002, flags: 0, names: [name(20, 2), name(3, 16)] },
    { at: [536_870_000, 4_001, 131_072], index: 70_003, flags: ENTRY_THIS, names: [] },
  ] as const;
  for (const { at, index, flags, names } of entries) {
    writer.at(at[0], at[1], at[2], PIECE_NUMBER.entry);
    writer.entry(index, flags, names);
  }
  const reader = new EditReader(writer.finish(70_004));
  for (const { at, index, flags, names } of entries) {
    assert.ok(reader.next());
    assert.deepEqual([reader.offset, reader.line, reader.column, reader.piece], [...at, PIECE_NUMBER.entry]);
    assert.deepEqual([reader.functionIndex, reader.first, reader.names], [index, flags, names.length]);
    const spans = names.flatMap(({ start, end }) => [start, end]);
    assert.deepEqual(reader.spans.slice(0, 2 * names.length), spans);
  }
  assert.ok(!reader.next());
});

test('what does not fit is refused', () => {
  assert.throws(() => new EditWriter().at(0x2000_0000, 0, 0, PIECE_NUMBER.entry), RangeError);
});

test('the sites of a small function take few bytes, which stay as long as its text', () => {
  const source = 'function f(a, b) {\n  if (a > b) return a - b;\n  return a + b;\n}\n'.repeat(100);
  const made = instrument(source, 'commonjs');
  assert.ok('edits' in made);
  assert.ok(made.edits.bytes.length <= 17 * 100, String(made.edits.bytes.length));
});

test('the pieces that have codes have their numbers', () => {
  assert.deepEqual([Piece.Entry, Piece.Value, Piece.ExitValue], [PIECE_NUMBER.entry, PIECE_NUMBER.value, PIECE_NUMBER.exitValue]);
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
