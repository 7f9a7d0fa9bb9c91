import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KERNEL, TRACE_CMD } from './dialect.js';
import { durationMark, printDuration } from './duration.js';
import { TraceSeq } from './trace-seq.js';

const column = (ns: number, style = KERNEL.duration): string => {
  const seq = new TraceSeq();
  printDuration(seq, ns, style);
  return seq.toString();
};

test('durations fill their column as in the kernel', () => {
  assert.equal(column(0), '0.000 us    ');
  assert.equal(column(123), '0.123 us    ');
  assert.equal(column(12345), '12.345 us   ');
  assert.equal(column(123456), '123.456 us  ');
  assert.equal(column(1234567), '1234.567 us ');
  assert.equal(column(12345678), '12345.67 us ');
  assert.equal(column(123456789), '123456.7 us ');
  assert.equal(column(1234567890), '1234567 us  ');
  assert.equal(column(12345678901), '12345678 us ');
  assert.equal(column(123456789012), '123456789 us ');
});

test('marks tell orders of magnitude, from just above the threshold on', () => {
  const marks = [0, 1e4, 1e4 + 1, 1e5 + 1, 1e6 + 1, 1e7 + 1, 1e8 + 1, 1e9 + 1];
  assert.equal(String.fromCharCode(...marks.map((ns) => durationMark(ns, KERNEL.duration))), '  +!#*@$');
});

test('trace-cmd has fewer marks, and all three decimals', () => {
  const shown = (ns: number): string =>
    `${String.fromCharCode(durationMark(ns, TRACE_CMD.duration))} ${column(ns, TRACE_CMD.duration)}`;
  for (const [ns, text] of [
    [0, '  0.000 us   '],
    [999, '  0.999 us   '],
    [10_000, '  10.000 us  '],
    [10_001, '+ 10.001 us  '],
    [123_456, '! 123.456 us '],
    [1_234_567, '# 1234.567 us '],
    [1_000_000_001, '$ 1000000 us '],
    [-1, '  18446744073709551 us '],
    [-2, '$ 18446744073709551 us '],
  ] as const) {
    assert.equal(shown(ns), text);
  }
});
