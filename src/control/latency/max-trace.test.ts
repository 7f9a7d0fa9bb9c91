import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MaxLatency, numbersOf } from '../../ftrace/tracers/latency/max-latency.js';
import {
  createRingBuffer,
  DEFAULT_SUBBUF_BYTES,
  RingBufferWriter,
  storeSnapshot,
  takeSnapshotOf,
} from '../../ring-buffer/index.js';
import { MaxTrace } from './max-trace.js';

/** A thread whose latencies are kept as it was told. */
class Thread {
  readonly cpu: number;
  readonly #trace: MaxTrace;

  constructor(trace: MaxTrace, cpu: number) {
    this.#trace = trace;
    this.cpu = cpu;
    trace.of(cpu);
  }

  had(latency: number, start = 0): void {
    const { max, trace } = this.#trace.of(this.cpu);
    const ring = createRingBuffer(2 * DEFAULT_SUBBUF_BYTES);
    const writer = new RingBufferWriter(ring);
    writer.reserve(12, 1);
    writer.commit();
    const record = { latency, start, cpu: this.cpu, pid: this.cpu, startedAt: 1, endedAt: 2, prio: 120, waker: 0 };
    new MaxLatency(max).report(latency, (isAdded) =>
      storeSnapshot(trace, takeSnapshotOf(ring), 0, { isAdded, label: numbersOf(record) }),
    );
  }
}

/** A measurement with two threads. */
function twoThreads(pages = 8): { readonly max: MaxTrace; readonly main: Thread; readonly worker: Thread } {
  const max = new MaxTrace();
  max.restart(pages, DEFAULT_SUBBUF_BYTES);
  return { max, main: new Thread(max, 0), worker: new Thread(max, 1) };
}

const latencies = (max: MaxTrace, cpu: number): number[] => max.traces(cpu).map(({ record }) => record.latency);

describe('the maxima of the threads', () => {
  it('each thread has its own; the longest of all is shown', () => {
    const { max, main, worker } = twoThreads();
    main.had(500);
    main.had(400);
    worker.had(90);
    worker.had(100);
    assert.deepEqual(latencies(max, 0), [500]);
    assert.deepEqual(latencies(max, 1), [100]);
    assert.equal(max.trace()!.record.latency, 500);
    assert.equal(max.nanoseconds, 500n);
  });

  it('with tracing_thresh each keeps every latency above it; the last of all is shown', () => {
    const { max, main, worker } = twoThreads();
    max.threshold = 100;
    for (const latency of [300, 99, 200]) main.had(latency, 1000);
    worker.had(150, 5000);
    assert.deepEqual(latencies(max, 0), [300, 200]);
    assert.deepEqual(latencies(max, 1), [150]);
    assert.equal(max.trace()!.record.latency, 150);
    assert.equal(max.nanoseconds, 150n);
  });

  it('those from before tracing_thresh was written stay until there is another', () => {
    const { max, main } = twoThreads();
    max.threshold = 1;
    for (const latency of [10, 20]) main.had(latency);
    max.threshold = 25;
    assert.deepEqual(latencies(max, 0), [10, 20]);
    for (const latency of [30, 40]) main.had(latency);
    assert.deepEqual(latencies(max, 0), [30, 40]);
  });

  it('the oldest go when there is no room', () => {
    const { max, main } = twoThreads(3);
    max.threshold = 1;
    for (const latency of [10, 20, 30, 40, 50]) main.had(latency);
    assert.deepEqual(latencies(max, 0), [30, 40, 50]);
  });

  it('a written maximum is that of every thread, also of one that starts later; what was shown stays until there is another', () => {
    const { max, main, worker } = twoThreads();
    main.had(500);
    worker.had(100);
    max.nanoseconds = 50n;
    const late = new Thread(max, 2);
    for (const thread of [main, worker, late]) thread.had(40);
    assert.equal(max.trace()!.record.latency, 500);
    assert.equal(max.nanoseconds, 50n);
    worker.had(60);
    assert.equal(max.trace()!.record.latency, 60);
    assert.equal(max.nanoseconds, 60n);
  });

  it('traces are taken away from one cpu or from all; the number stays', () => {
    const { max, main, worker } = twoThreads();
    main.had(500);
    worker.had(100);
    max.clear(0);
    assert.deepEqual([latencies(max, 0), latencies(max, 1)], [[], [100]]);
    max.clear();
    assert.equal(max.trace(), undefined);
    assert.equal(max.nanoseconds, 500n);
    main.had(600);
    assert.deepEqual(latencies(max, 0), [600]);
  });
});
