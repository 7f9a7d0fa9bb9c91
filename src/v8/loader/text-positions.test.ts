import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
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
  assert.deepEqual([positions.originalOffset(0), positions.originalOffset(text.length)], [0, SOURCE.length]);
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

test('what V8 has before the text moves all of its places', () => {
  const { text, positions } = instrumented();
  const place = SOURCE.indexOf('class Box');
  const before = positions.compiledOffset(place);
  const inserted = text.indexOf('{{var ') + 1;
  assert.ok(positions.isInserted(inserted));
  positions.putBehind?.(100);
  assert.equal(positions.compiledOffset(place), before + 100);
  assert.equal(positions.originalOffset(before + 100), place);
  assert.equal(positions.originalOffset(50), 0);
  assert.deepEqual(
    [99, inserted + 100, before + 100].map((at) => positions.isInserted(at)),
    [true, true, false],
  );
  assert.deepEqual([positions.start, positions.base], [0x81000000, 0x81000000]);
});

test('the positions of a small text take some 200 bytes', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const made = instrument(SOURCE, 'commonjs');
  assert.ok('edits' in made);
  const used = (): number => {
    collect();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const COUNT = 10_000;
  const before = used();
  const all = Array.from({ length: COUNT }, (_, i) => positionsOf({ length: 10, base: i, firstFunction: i }, made.edits, '$f'));
  const bytes = (used() - before) / COUNT;
  assert.equal(all.length, COUNT);
  assert.ok(bytes > 0 && bytes < 300, String(bytes));
});
