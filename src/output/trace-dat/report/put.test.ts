import assert from 'node:assert/strict';
import { test } from 'node:test';
import { putDuration } from './duration.js';
import { putDecimal } from './put.js';

const written = (put: (out: Uint8Array, at: number) => number): string => {
  const out = Buffer.alloc(100);
  return out.toString('latin1', 0, put(out, 0));
};

test('whole numbers up to 2^53', () => {
  for (const value of [0, 7, 10, 42, 99, 100, 999, 1000, 1001, 65535, 999999, 1e6, 123456789012, 2 ** 53]) {
    assert.equal(
      written((out, at) => putDecimal(out, at, value)),
      String(value),
    );
  }
});

test('durations with the marks and the width that trace-cmd gives them', () => {
  for (const [ns, text] of [
    [0, '  0.000 us   |  '],
    [999, '  0.999 us   |  '],
    [10_000, '  10.000 us  |  '],
    [10_001, '+ 10.001 us  |  '],
    [123_456, '! 123.456 us |  '],
    [1_234_567, '# 1234.567 us |  '],
    [1_000_000_001, '$ 1000000.001 us |  '.replace('1000000.001', '1000000')],
    [-1, '  18446744073709551 us |  '],
  ] as const) {
    assert.equal(
      written((out, at) => putDuration(out, at, ns)),
      text,
    );
  }
});
