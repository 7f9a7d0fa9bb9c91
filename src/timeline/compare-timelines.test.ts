import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ComparedNode, ComparedTimelines } from './compare-timelines.js';
import { pairBuckets } from './function-table.js';
import { madeUp } from './testing/made-up.js';

const BEFORE = `
main 0-100
  parse 10-30
    read 12-20
  old 40-60
  parse 70-80
`;
const AFTER = `
main 1000-1140
  parse 1010-1060
    read 1012-1052
  fresh 1070-1090
`;

const compared = (): ComparedTimelines => new ComparedTimelines(madeUp({ node: BEFORE }), madeUp({ node: AFTER }));

function lines(all: ComparedTimelines, { func, before, after, children }: ComparedNode, indent = ''): readonly string[] {
  const name = func < 0 ? 'all' : all.nameOf(func);
  const line = `${indent}${name} ${before.count}x ${before.total} -> ${after.count}x ${after.total}`;
  return [line, ...children.flatMap((child) => lines(all, child, `${indent}  `))];
}

test('the union of the stacks has what is in either, in the order of time of the second', () => {
  const all = compared();
  assert.deepEqual(lines(all, all.root('time')), [
    'all 0x 100 -> 0x 140',
    '  main 1x 100 -> 1x 140',
    '    parse 2x 30 -> 1x 50',
    '      read 1x 8 -> 1x 40',
    '    fresh 0x 0 -> 1x 20',
    '    old 1x 20 -> 0x 0',
  ]);
});

test('the union can have the heaviest first, or be sorted by name; times are those of both', () => {
  const all = compared();
  const namesOf = ({ children }: ComparedNode): readonly string[] =>
    children.map(({ func, total }) => `${all.nameOf(func)} ${total}`);
  assert.deepEqual(namesOf(all.root('heavy').children[0]!), ['parse 80', 'fresh 20', 'old 20']);
  assert.deepEqual(namesOf(all.root('name').children[0]!), ['fresh 20', 'old 20', 'parse 80']);
});

test('a function of a comparison is found in each recording', () => {
  const all = compared();
  for (const [index, { before, after }] of all.functions.entries()) {
    if (before !== undefined) assert.equal(all.indexOf('before', before.func), index);
    if (after !== undefined) assert.equal(all.indexOf('after', after.func), index);
  }
  const old = all.functions.findIndex((_, index) => all.nameOf(index) === 'old');
  assert.equal(all.functionOf(old, 'after'), undefined);
  assert.equal(all.functions[old]?.change?.verdict, 'gone');
  assert.equal(all.functionOf(old, 'before') === undefined, false);
});

test('two histograms have one scale, with the gap between them', () => {
  const bucket = (from: number, count: number) => ({ from, to: 2 * from, count });
  assert.deepEqual(pairBuckets([bucket(8, 3), bucket(16, 0), bucket(32, 1)], [bucket(128, 2)]), [
    { from: 8, before: 3, after: 0 },
    { from: 16, before: 0, after: 0 },
    { from: 32, before: 1, after: 0 },
    { from: 64, before: 0, after: 0 },
    { from: 128, before: 0, after: 2 },
  ]);
  assert.deepEqual(pairBuckets([], [bucket(4, 5)]), [{ from: 4, before: 0, after: 5 }]);
  assert.deepEqual(pairBuckets([], []), []);
});
