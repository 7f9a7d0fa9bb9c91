import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ContentKey } from './content-key.js';
import { type KeptText, ReadTexts } from './read-texts.js';

const text = (placeKey: ContentKey, firstFunction: number): KeptText => ({
  key: [firstFunction, 2, 3, 4],
  placeKey,
  functionCount: 5,
  firstFunction,
});

test('texts come back in their order, each once for a place, as they were last read', () => {
  const texts = new ReadTexts<object>();
  const all = Array.from({ length: 1000 }, (_, i) => text([(i * 0x9e3779b9) >>> 0, i, 0xffff_ffff, 0], i));
  for (const one of all) texts.read(one);
  for (const one of all) texts.read({ ...one, functionCount: 6 });
  assert.equal(texts.size, 1000);
  assert.deepEqual(
    all.map((_, row) => texts.at(row)),
    all.map((one) => ({ ...one, functionCount: 6 })),
  );
});

test('places whose keys begin the same, or one after the other, are told apart', () => {
  const texts = new ReadTexts<object>();
  const places: ContentKey[] = [
    [0x7fff_ffff, 0, 0, 1],
    [0x7fff_ffff, 0, 0, 2],
    [0x8000_0000, 0, 0, 3],
    [0xffff_ffff, 0, 0, 4],
    [0xffff_ffff, 0, 0, 5],
    [0, 0, 0, 6],
  ];
  for (const round of [0, 10]) for (const [i, place] of places.entries()) texts.read(text(place, round + i));
  assert.deepEqual(
    places.map((_, row) => texts.at(row).firstFunction),
    [10, 11, 12, 13, 14, 15],
  );
  assert.equal(texts.size, places.length);
});

test('what was compiled is there until it is released', () => {
  const texts = new ReadTexts<object>();
  const made = [{}, {}];
  const all = [1, 2, 3].map((n) => text([n, n, n, n], n));
  for (const one of all) texts.read(one);
  texts.compiled(all[0]!, made[0]!, true);
  texts.compiled(all[1]!, made[1]!, false);
  const state = () => [0, 1, 2].map((row) => [texts.made(row), texts.isCompiled(row)]);
  assert.deepEqual(state(), [
    [made[0], true],
    [made[1], true],
    [undefined, false],
  ]);
  for (const row of [0, 1, 2]) texts.release(row);
  assert.deepEqual(state(), [
    [undefined, true],
    [undefined, true],
    [undefined, false],
  ]);
  texts.read(all[0]!);
  assert.equal(texts.isCompiled(0), false);
});
