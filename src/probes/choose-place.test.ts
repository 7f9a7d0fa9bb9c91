import assert from 'node:assert/strict';
import { test } from 'node:test';
import { functionAt, nearestLines, nearestPlaces } from './choose-place.js';

const functions = [
  { start: 0, end: 50 },
  { start: 10, end: 20 },
  { start: 30, end: 40 },
  { start: 60, end: 70 },
];

test('the innermost function holds an offset', () => {
  assert.deepEqual(
    [0, 9, 10, 19, 20, 35, 49, 50, 65, 70].map((offset) => functionAt(functions, offset)),
    [0, 0, 1, 1, 0, 2, 0, undefined, 3, undefined],
  );
});

const places = [4, 9, 17].map((offset) => ({ offset }));

test('the nearest places are the one before and the one behind', () => {
  assert.deepEqual(
    [1, 5, 9, 20].map((offset) => nearestPlaces(places, offset).map((place) => place.offset)),
    [[4], [4, 9], [4, 17], [17]],
  );
});

test('so are the nearest lines, in any order', () => {
  assert.deepEqual(
    [1, 5, 9].map((line) => nearestLines([7, 3, 3, 12], line)),
    [[3], [3, 7], [7, 12]],
  );
});
