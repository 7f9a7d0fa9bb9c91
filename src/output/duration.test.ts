import assert from 'node:assert/strict';
import { test } from 'node:test';
import { durationMark, printDuration } from './duration.js';
import { TraceSeq } from './trace-seq.js';

const column = (ns: number): string => {
  const seq = new TraceSeq();
  printDuration(seq, ns);
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
  assert.equal(String.fromCharCode(...marks.map(durationMark)), '  +!#*@$');
});
