import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type LatencyRecord, MaxLatency } from './max-latency.js';

const record = (latency: number): LatencyRecord => ({
  latency,
  start: 5000,
  cpu: 1,
  pid: 4711,
  startedAt: -0x7f000000,
  endedAt: 0x7f1234567010,
  prio: 120,
  waker: 0,
});
const kept = (): boolean => true;

describe('tracing_max_latency', () => {
  it('only a longer latency is kept', () => {
    const max = new MaxLatency();
    assert.equal(max.report(record(100), kept), true);
    assert.equal(max.report(record(100), kept), false);
    assert.equal(max.report(record(101), kept), true);
    assert.equal(max.value, 101);
    assert.deepEqual(max.record, record(101));
  });

  it('with tracing_thresh every latency that reaches it is kept, and is the new value though it is less', () => {
    const max = new MaxLatency();
    max.report(record(500), kept);
    max.threshold = 100;
    assert.equal(max.report(record(99), kept), false);
    assert.equal(max.report(record(100), kept), true);
    assert.equal(max.value, 100);
  });

  it('a write to the file takes effect in the threads that share it; the kept trace stays', () => {
    const max = new MaxLatency();
    const onThread = new MaxLatency(max.memory);
    onThread.report(record(500), kept);
    max.value = 0;
    assert.deepEqual(max.record, record(500));
    assert.equal(onThread.report(record(20), kept), true);
    assert.equal(max.value, 20);
  });

  it('a trace that could not be kept is no maximum', () => {
    const max = new MaxLatency();
    assert.equal(
      max.report(record(500), () => false),
      false,
    );
    assert.equal(max.value, 0);
    assert.equal(max.record, undefined);
    assert.equal(max.report(record(500), kept), true);
  });

  it('the number stays when its trace is gone', () => {
    const max = new MaxLatency();
    max.report(record(500), kept);
    max.forget();
    assert.equal(max.value, 500);
    assert.equal(max.record, undefined);
  });

  it('a thread that ends while it keeps a latency keeps no other from it', () => {
    const max = new MaxLatency();
    const onThread = new MaxLatency(max.memory);
    max.report(record(500), () => {
      // What a terminated thread leaves behind is what it had done up to here.
      onThread.threadEnded(2);
      assert.equal(onThread.report(record(900), kept), false);
      onThread.threadEnded(record(500).cpu);
      assert.equal(onThread.report(record(900), kept), true);
      return false;
    });
    assert.deepEqual(max.record, record(900));
  });

  it('hwlat raises it without a trace', () => {
    const max = new MaxLatency();
    max.raise(30);
    max.raise(20);
    assert.equal(max.value, 30);
    assert.equal(max.record, undefined);
  });
});
