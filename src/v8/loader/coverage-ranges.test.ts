import assert from 'node:assert/strict';
import { test } from 'node:test';
import { correctRanges } from './coverage-ranges.js';

/** A text in which each `#` was inserted. */
const rangesOf = (text: string, ...ranges: [part: string, count: number][]): [part: string, count: number][] => {
  const source = text.replaceAll('#', '');
  const originalOffset = (offset: number): number => text.slice(0, offset).replaceAll('#', '').length;
  const seen = ranges.map(([part, count]) => ({
    startOffset: text.indexOf(part),
    endOffset: text.indexOf(part) + part.length,
    count,
  }));
  return correctRanges(seen, { originalOffset }, source).map((one) => [source.slice(one.startOffset, one.endOffset), one.count]);
};

test('a range has the same text as without sites', () => {
  const text = 'f() {## if (a) { b #} }';
  assert.deepEqual(rangesOf(text, [text, 2], ['{ b #}', 1]), [
    ['f() { if (a) { b } }', 2],
    ['{ b }', 1],
  ]);
});

test('a range that covers only a site is dropped', () => {
  assert.deepEqual(rangesOf('f() {##}', ['f() {##}', 1], ['##', 0]), [['f() {}', 1]]);
});

test('nothing follows the last statement but its exit, which is no branch of the author’s', () => {
  const text = 'f() { for (;;) a; \n##}';
  assert.deepEqual(rangesOf(text, [text, 1], [' \n##', 0]), [['f() { for (;;) a; \n}', 1]]);
});

test('ranges that a site kept apart are one', () => {
  const text = 'if (a) return b##; c }';
  assert.deepEqual(rangesOf(text, [text, 2], ['return b##;', 1], ['##', 0], [' c', 1]), [
    ['if (a) return b; c }', 2],
    ['return b; c', 1],
  ]);
});

test('ranges with a range of the author’s between them stay two', () => {
  const text = '{ { a ? b : c } d }##';
  const ranges: [string, number][] = [
    ['{ { a ? b : c } d }', 1],
    ['{ a ? b : c }', 5],
    ['b', 0],
    [' d', 5],
  ];
  assert.deepEqual(rangesOf(text, ...ranges), ranges);
});

test('what follows a branch ends with its block, not with the last return’s site', () => {
  const text = 'f() { if (a) { if (b) throw c; return d##; } g; return e##;\n}';
  assert.deepEqual(
    rangesOf(text, [text, 9], ['{ if (b) throw c; return d##; }', 4], [' return d', 3], [' g; return e', 3], ['##;\n', 0]),
    [
      ['f() { if (a) { if (b) throw c; return d; } g; return e;\n}', 9],
      ['{ if (b) throw c; return d; }', 4],
      [' return d; }', 3],
      [' g; return e;\n', 3],
    ],
  );
});

test('a branch inside an expression ends where it did', () => {
  const text = 'f() { return a ? b : () => { return c }##;\n}';
  assert.deepEqual(rangesOf(text, [text, 2], ['() => { return c }', 1]), [
    ['f() { return a ? b : () => { return c };\n}', 2],
    ['() => { return c }', 1],
  ]);
});
