import assert from 'node:assert/strict';
import { test } from 'node:test';
import { highWord, lowWord } from './words.js';

const VALUES = [
  0n,
  1n,
  -1n,
  0x7fffffffn,
  0x80000000n,
  -0x80000000n,
  2n ** 32n,
  -(2n ** 32n) - 1n,
  2n ** 53n - 1n,
  1n - 2n ** 53n,
];

test('the words of a number and of the same bigint are its 64 bits', () => {
  for (const value of VALUES) {
    for (const form of [value, Number(value)]) {
      const bits = (BigInt(highWord(form) >>> 0) << 32n) | BigInt(lowWord(form) >>> 0);
      assert.equal(BigInt.asIntN(64, bits), value, `${typeof form} ${value}`);
    }
  }
});

test('a bigint counts by its low 64 bits, signed or not', () => {
  for (const value of [2n ** 64n - 1n, -1n, 2n ** 70n - 1n]) assert.deepEqual([highWord(value), lowWord(value)], [-1, -1]);
});
