import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatStats } from './stats.js';

const STATS = {
  entries: 273,
  overrun: 127,
  commitOverrun: 0,
  bytes: 8768,
  oldestEventTs: 5_123_456_499,
  nowTs: 1_234_567_000_000_500,
  droppedEvents: 19,
  readEvents: 9,
};

test('stats are shown as in per_cpu/cpuN/stats, times rounded to microseconds', () => {
  assert.equal(
    formatStats(STATS),
    `entries: 273
overrun: 127
commit overrun: 0
bytes: 8768
oldest event ts:     5.123456
now ts: 1234567.000001
dropped events: 19
read events: 9
`,
  );
});

test('times of a clock that counts are shown as they are', () => {
  assert.match(formatStats(STATS, false), /^oldest event ts: 5123456499$/m);
});
