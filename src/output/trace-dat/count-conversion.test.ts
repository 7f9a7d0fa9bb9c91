import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CountedTimes, conversionIn, conversionOf, nsOfCount } from './count-conversion.js';
import { OPTION } from './format.js';

const TSC_2596_MHZ = { mult: 827_180_112, shift: 31 };

test('counts become the nanoseconds of trace-cmd, at any distance, backwards, and beyond 2^53', () => {
  const origin = 4_025_000_000_000;
  for (const conversion of [TSC_2596_MHZ, { mult: 2 ** 32 - 1, shift: 32 }, { mult: 3, shift: 0 }, { mult: 5, shift: 40 }]) {
    const times = new CountedTimes(conversion, origin);
    for (const start of [0n, 10_446_662_613_204n, (1n << 32n) * 77n - 5n, (1n << 53n) + 1n]) {
      const high = times.open(Number(start >> 32n));
      assert.equal(high, Number((start >> 32n) << 32n));
      let count = Number(start & 0xffffffffn);
      for (const step of [0, 1, 2, 1000, 1, 2 ** 20 - 1, 2 ** 20, 3, 2 ** 27, 2 ** 40, 1, -7, 1]) {
        count += step;
        const expected = nsOfCount((start >> 32n) * 2n ** 32n + BigInt(count), conversion) - BigInt(origin);
        assert.equal(times.ns(count), Number(expected), `${start} ${count}`);
      }
    }
  }
});

test('the conversion of a rate is as exact as trace-cmd can read it', () => {
  assert.deepEqual(conversionOf(827_180_112 / 2 ** 31), TSC_2596_MHZ);
  for (const rate of [1, 1.5, 0.9999999999, 0.2, 40]) {
    const { mult, shift } = conversionOf(rate);
    assert.ok(mult < 2 ** 31 && mult >= 2 ** 28, `${mult}`);
    assert.ok(Math.abs(mult / 2 ** shift / rate - 1) < 4e-9);
  }
});

test('a file has a conversion if it has the option, whole and with a multiplier', () => {
  const option = Buffer.alloc(16);
  const found = () => conversionIn(new Map([[OPTION.TSC2NSEC, [option]]]));
  assert.equal(found(), undefined);
  option.writeUInt32LE(TSC_2596_MHZ.mult, 0);
  option.writeUInt32LE(31, 4);
  assert.deepEqual(found(), TSC_2596_MHZ);
  assert.equal(conversionIn(new Map([[OPTION.TSC2NSEC, [option.subarray(0, 15)]]])), undefined);
  assert.equal(conversionIn(new Map()), undefined);
});
