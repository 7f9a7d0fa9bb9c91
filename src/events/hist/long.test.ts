import assert from 'node:assert/strict';
import { test } from 'node:test';
import { highWord, lowWord } from '../../base/words.js';
import type { Long } from '../c-types.js';
import { add, bucket, divide, isGreater, log2, microseconds, multiply, ofWords, subtract, toLong, unsigned } from './long.js';

const INTERESTING = [
  0n,
  1n,
  2n,
  3n,
  7n,
  100n,
  1000n,
  2n ** 20n,
  2n ** 31n,
  2n ** 32n,
  2n ** 53n,
  2n ** 53n + 1n,
  2n ** 62n,
  2n ** 63n,
];
const VALUES = INTERESTING.flatMap((value) => [value, value - 1n, -value]).map((value) => BigInt.asUintN(64, value));

const wrapped = (value: bigint): bigint => BigInt.asUintN(64, value);
const order = (value: bigint): bigint => (value <= 1n ? 0n : BigInt((value - 1n).toString(2).length));

test('64-bit arithmetic is that of the kernel’s u64', () => {
  for (const a of VALUES) {
    assert.equal(BigInt(log2(toLong(a))), order(a), `log2 of ${a}`);
    assert.equal(unsigned(ofWords(highWord(toLong(a)), lowWord(toLong(a)))), a, `words of ${a}`);
    for (const b of VALUES) {
      const [x, y] = [toLong(a), toLong(b)];
      const same = (actual: Long, expected: bigint, what: string): void =>
        assert.equal(unsigned(actual), wrapped(expected), `${a} ${what} ${b}`);
      same(add(x, y), a + b, '+');
      same(subtract(x, y), a - b, '-');
      same(multiply(x, y), a * b, '*');
      same(divide(x, y), b === 0n ? -1n : a / b, '/');
      if (b !== 0n) same(bucket(x, y), (a / b) * b, 'in buckets of');
      assert.equal(isGreater(x, y), a > b, `${a} > ${b}`);
    }
  }
});

test('a value is a number wherever that is exact', () => {
  assert.equal(toLong(2n ** 64n - 1n), -1);
  assert.equal(toLong(0xffffffff81000000n), -0x7f000000);
  assert.equal(toLong(2n ** 63n), -(2n ** 63n));
  assert.equal(Object.is(multiply(0, -5), 0), true, 'and never a negative zero');
});

test('nanoseconds are rounded to microseconds', () => {
  assert.deepEqual([0, 499, 500, 1499, 1500].map(microseconds), [0, 0, 1, 1, 2]);
});

test('a division by a constant rounds up as the kernel’s multiplication does', () => {
  // 2^20 / 3 is 349525.33: 3 * 349525 is just below 2^20, and the kernel adds almost one.
  assert.deepEqual(
    [1, 2, 3, 4, 5, 6].map((value) => divide(value, 3, true)),
    [1, 1, 1, 2, 2, 2],
  );
  assert.equal(divide(2 ** 20, 3, true), 349525, 'beyond 2^20 it divides');
  assert.equal(divide(7, 4, true), 1, 'and a power of two is shifted');
});
