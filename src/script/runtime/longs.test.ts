import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Long } from '../../events/c-types.js';
import * as longs from './longs.js';

const MIN = -(2n ** 63n);
const MAX = 2n ** 63n - 1n;
/** Integers around all limits. */
const VALUES: readonly Long[] = [
  0,
  1,
  -1,
  2,
  3,
  7,
  -7,
  63,
  64,
  1000,
  2 ** 31 - 1,
  2 ** 31,
  -(2 ** 31),
  2 ** 32,
  2 ** 32 + 5,
  -(2 ** 40) - 3,
  longs.SAFE,
  -longs.SAFE,
  2n ** 53n,
  -(2n ** 53n),
  2n ** 62n + 1n,
  MAX,
  MIN,
  MIN + 1n,
];
const u = (value: bigint): bigint => BigInt.asUintN(64, value);
type Reference = (a: bigint, b: bigint) => bigint;
const BINARY: Readonly<Record<string, [(a: Long, b: Long) => Long, Reference]>> = {
  '+': [longs.add, (a, b) => a + b],
  '-': [longs.subtract, (a, b) => a - b],
  '*': [longs.multiply, (a, b) => a * b],
  '&': [longs.and, (a, b) => a & b],
  '|': [longs.or, (a, b) => a | b],
  '^': [longs.xor, (a, b) => a ^ b],
  '<<': [longs.shiftLeft, (a, b) => a << (b & 63n)],
  '>>': [longs.shiftRight, (a, b) => a >> (b & 63n)],
  '>>>': [longs.shiftRightUnsigned, (a, b) => u(a) >> (b & 63n)],
  '/': [longs.divide, (a, b) => a / b],
  '%': [longs.modulo, (a, b) => a % b],
  'u/': [longs.divideUnsigned, (a, b) => u(a) / u(b)],
  'u%': [longs.moduloUnsigned, (a, b) => u(a) % u(b)],
};

for (const [operator, [computed, expected]] of Object.entries(BINARY)) {
  test(`${operator} wraps at 64 bits, and gives a number where that is exact`, () => {
    for (const a of VALUES) {
      for (const b of VALUES) {
        if (b === 0 && /[/%]/.test(operator)) continue;
        const right = BigInt.asIntN(64, expected(BigInt(a), BigInt(b)));
        const result = computed(a, b);
        assert.equal(BigInt(result), right, `${a} ${operator} ${b}`);
        assert.equal(typeof result, right <= longs.SAFE && right >= -longs.SAFE ? 'number' : 'bigint', `${a} ${operator} ${b}`);
        assert.ok(!Object.is(result, -0));
      }
    }
  });
}

test('unsigned comparison, negation and the highest bit', () => {
  for (const a of VALUES) {
    for (const b of VALUES) assert.equal(longs.isBelow(a, b), u(BigInt(a)) < u(BigInt(b)), `${a} ${b}`);
    assert.equal(BigInt(longs.negate(a)), BigInt.asIntN(64, -BigInt(a)));
    assert.equal(BigInt(longs.not(a)), ~BigInt(a));
    if (a >= 0) assert.equal(longs.bitLength(a), a === 0 ? 0 : BigInt(a).toString(2).length, String(a));
  }
});
