import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countingTrigger, countsInHist, recordsInStats } from './counting.js';

const HIST = `# event histogram
#
# trigger info: hist:keys=common_cpu:vals=hitcount:sort=hitcount:size=128 if duration > 1000 [active]
#

{ common_cpu:          0 } hitcount:          2

Totals:
    Hits: 2
    Entries: 1
    Dropped: 0


# event histogram
#
# trigger info: hist:keys=common_cpu:vals=hitcount:sort=hitcount:size=128 [active]
#

{ common_cpu:          1 } hitcount:          3
{ common_cpu:          0 } hitcount:          7

Totals:
    Hits: 10
    Entries: 2
    Dropped: 4


# event histogram
#
# trigger info: hist:keys=kind:vals=hitcount:sort=hitcount:size=2048 [active]
#


Totals:
    Hits: 99
    Entries: 0
    Dropped: 0
`;

test('the hist file of an event gives the count of each counting trigger, and of no other', () => {
  assert.deepEqual(countsInHist(HIST), [
    { filter: 'duration > 1000', count: 2 },
    { filter: undefined, count: 14 },
  ]);
  assert.deepEqual(countsInHist(''), []);
});

test('a counting trigger may have a filter', () => {
  assert.equal(countingTrigger(), 'hist:keys=common_cpu:size=128');
  assert.equal(countingTrigger('fd > 2'), 'hist:keys=common_cpu:size=128 if fd > 2');
});

test('statistics tell how many records were made, whatever became of them', () => {
  const stats =
    'entries: 200\noverrun: 55100\ncommit overrun: 1\nbytes: 5620\noldest event ts: 37681.182205\n' +
    'now ts: 37681.218182\ndropped events: 20\nread events: 3000\n';
  assert.equal(recordsInStats(stats), 58321);
});
