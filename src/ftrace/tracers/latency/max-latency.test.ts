import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type LatencyRecord, MaxLatency, numbersOf, recordOfNumbers } from './max-latency.js';

const kept = (): boolean => true;

describe('tracing_max_latency', () => {
  it('only a longer latency is kept', () => {
    const max = new MaxLatency();
    assert.equal(max.report(100, kept), true);
    assert.equal(max.report(100, kept), false);
    assert.equal(max.report(101, kept), true);
    assert.equal(max.value, 101);
  });

  it('with tracing_thresh every latency that reaches it is kept beside the others, and is the new value though it is less', () => {
    const max = new MaxLatency();
    const added: boolean[] = [];
    const keep = (isAdded: boolean): boolean => added.push(isAdded) > 0;
    max.report(500, keep);
    max.threshold = 100;
    assert.equal(max.report(99, keep), false);
    assert.equal(max.report(100, keep), true);
    assert.equal(max.value, 100);
    assert.deepEqual(added, [false, true]);
  });

  it('a write to the file takes effect in the thread that shares it', () => {
    const max = new MaxLatency();
    const onThread = new MaxLatency(max.memory);
    onThread.report(500, kept);
    max.value = 0;
    assert.equal(onThread.report(20, kept), true);
    assert.equal(max.value, 20);
  });

  it('a trace that could not be kept is no maximum', () => {
    const max = new MaxLatency();
    assert.equal(
      max.report(500, () => false),
      false,
    );
    assert.equal(max.value, 0);
    assert.equal(max.report(500, kept), true);
  });

  it('hwlat raises it without a trace', () => {
    const max = new MaxLatency();
    max.raise(30);
    max.raise(20);
    assert.equal(max.value, 30);
  });

  it('a record comes back from the numbers that are stored with its trace', () => {
    const record: LatencyRecord = {
      latency: 100,
      start: 5000,
      cpu: 1,
      pid: 4711,
      startedAt: -0x7f000000,
      endedAt: 0x7f1234567010,
      prio: 120,
      waker: 0,
    };
    assert.deepEqual(recordOfNumbers(numbersOf(record)), record);
  });
});
