import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KERNEL, TRACE_CMD } from './dialect.js';
import { TimeColumn, type TimeStyle } from './time-column.js';
import { TraceSeq } from './trace-seq.js';

function shown(style: TimeStyle, time: number): string {
  const seq = new TraceSeq();
  new TimeColumn(style).print(seq, time);
  return seq.toString();
}

test('times are seconds and rounded microseconds, or nanoseconds', () => {
  assert.equal(shown({ digits: 6, ...KERNEL }, 17_998_398_771_699), ' 17998.398772');
  assert.equal(shown({ digits: 6, ...KERNEL }, 1_809_000), '     0.001809');
  assert.equal(shown({ digits: 6, ...KERNEL }, 1_999_999_700), '     2.000000');
  assert.equal(shown({ digits: 9, seconds: 17_000, ...TRACE_CMD }, 998_398_771_699), ' 17998.398771699');
});

test('a clock that counts something else has the bare number', () => {
  assert.equal(shown({ digits: 0, ...KERNEL }, 5), '            5');
  assert.equal(shown({ digits: 0, ...TRACE_CMD }, 5), '           5');
  assert.equal(shown({ digits: 0, ...TRACE_CMD }, 18_088_886_070_519), '18088886070519');
});
