import assert from 'node:assert/strict';
import { test } from 'node:test';
import { instrumented, textOf } from '../instrument/testing/test-realm.js';
import { ColumnMap } from './column-map.js';

const SOURCE = `function f(a) { return MARK(a) } const g = (x) => MARK(x)
class A { m() { try { MARK() } finally { MARK() } } async n() { MARK(await MARK()) } }
  MARK()`;

const marks = (text: string) =>
  text.split('\n').flatMap((line, i) => [...line.matchAll(/MARK/g)].map((match) => ({ line: i + 1, column: match.index + 1 })));

test('what the program wrote is found where it wrote it', () => {
  const map = new ColumnMap(SOURCE, instrumented(SOURCE).edits, '$f', 1);
  const mapped = marks(textOf(SOURCE)).map(({ line, column }) => ({ line, column: map.original(line, column) }));
  assert.deepEqual(mapped, marks(SOURCE));
});

test('an inserted snippet is found where it was inserted', () => {
  const source = 'function f() { g() }';
  const map = new ColumnMap(source, instrumented(source).edits, '$f', 1);
  const column = textOf(source).indexOf('typeof') + 1;
  assert.equal(map.original(1, column), source.indexOf('{') + 2);
});

test('nothing is read before it is asked for', () => {
  let reads = 0;
  const map = new ColumnMap(
    () => {
      reads++;
      return SOURCE;
    },
    instrumented(SOURCE).edits,
    '$f',
    1,
  );
  assert.equal(reads, 0);
  map.original(1, 1);
  map.original(2, 1);
  assert.equal(reads, 1);
});
