import assert from 'node:assert/strict';
import { test } from 'node:test';
import { instrument } from '../instrument/index.js';
import { assemble } from '../text/index.js';
import { positionsOf } from './text-positions.js';

const SOURCE = `function area(width, height) { return width * height }
const twice = (n) => n * 2; class Box { size() { try { return 1 } finally { twice(1) } } }
`;

const instrumented = () => {
  const made = instrument(SOURCE, 'commonjs');
  assert.ok('edits' in made);
  const link = { length: SOURCE.length, base: 0x81000000, firstFunction: 12345 };
  const text = assemble(SOURCE, made.edits, '$f', 12345);
  return { text, positions: positionsOf(link, made.edits, '$f') };
};

test('each word of the source is found from its place in the text', () => {
  const { text, positions } = instrumented();
  for (const word of [
    'function area',
    'width * height',
    'const twice',
    'n * 2',
    'class Box',
    'size()',
    'try',
    'finally',
    'twice(1)',
  ]) {
    assert.equal(positions.originalOffset(text.indexOf(word)), SOURCE.indexOf(word), word);
    const before = text.slice(0, text.indexOf(word)).split('\n');
    const column = positions.originalColumn(before.length, (before.at(-1) as string).length + 1);
    assert.equal(column, SOURCE.indexOf(word) - SOURCE.lastIndexOf('\n', SOURCE.indexOf(word)), word);
  }
});

test('the ends of the text are the ends of the source', () => {
  const { text, positions } = instrumented();
  assert.deepEqual([0, text.length].map(positions.originalOffset), [0, SOURCE.length]);
});

test('what was inserted adds up line by line', () => {
  const { text, positions } = instrumented();
  const lengths = (lines: string) => lines.split('\n').map((line) => line.length);
  const original = lengths(SOURCE);
  const inserted = positions.insertedIn();
  assert.deepEqual(
    lengths(text),
    original.map((length, line) => length + (inserted.get(line) ?? 0)),
  );
});
