import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ByteKeeper } from './kept-bytes.js';

const ofLength = (length: number, from: number) => Uint8Array.from({ length }, (_, i) => from + i);

test('bytes come back as they were, whatever is kept after them', () => {
  const keeper = new ByteKeeper();
  const all = [0, 1, 300, 4095, 4096, 20_000, 4095, 4095, 4095, 4095, 7].map((length, i) => ofLength(length, i));
  const kept = all.map((bytes) => keeper.keep(bytes));
  assert.deepEqual(
    kept.map(({ chunk, at }, i) => chunk.slice(at, at + all[i]!.length)),
    all,
  );
});

test('a thousand short ones take memory of their length', () => {
  const keeper = new ByteKeeper();
  const chunks = new Set(Array.from({ length: 1000 }, (_, i) => keeper.keep(ofLength(150, i)).chunk));
  const memory = [...chunks].reduce((sum, { length }) => sum + length, 0);
  assert.ok(memory <= 1000 * 150 + 20_000, String(memory));
});

test('what is kept is no view of what was given', () => {
  const keeper = new ByteKeeper();
  for (const length of [10, 10_000]) {
    const bytes = ofLength(length, 1);
    const { chunk, at } = keeper.keep(bytes);
    bytes.fill(0);
    assert.equal(chunk[at], 1);
  }
});
