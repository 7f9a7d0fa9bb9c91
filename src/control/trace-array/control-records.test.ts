import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FTRACE_EVENTS } from '../../events/ftrace-events.js';
import { MaxLatency } from '../../ftrace/tracers/latency/max-latency.js';
import { MAX_WRITERS } from '../../port/limits.js';
import { createInstanceSwitch, InstanceSwitch } from '../../ring-buffer/index.js';
import { recordSample } from '../hwlat/hwlat-detector.js';
import { writingProcess } from '../testing/writing-process.js';
import { ControlRecords } from './control-records.js';
import { ControlWriter } from './control-writer.js';
import { ThreadBuffers } from './thread-buffers.js';

const SAMPLE = { inner: 30, outer: 20, count: 1, firstAt: 5_000_000_000, start: 4_900_000_000, end: 5_000_100_000 };

function createRecords() {
  const process = writingProcess([]);
  const buffers = new ThreadBuffers(1 << 16, true, new InstanceSwitch(createInstanceSwitch(MAX_WRITERS)));
  const records = new ControlRecords(process, new ControlWriter(buffers, () => {}));
  /** [event type, pid] of what was written to a cpu. */
  const written = (cpu = 0): unknown[] => {
    const reader = buffers.of(cpu).reader!;
    const found: unknown[] = [];
    for (; reader.peek(); reader.consume()) {
      const [type, pid] = new Int32Array(reader.bytes.slice(reader.payload, reader.payload + 8).buffer);
      found.push([type! & 0xffff, pid]);
    }
    return found;
  };
  return { process, buffers, records, written };
}

test('marks are written in the name of their tasks, which are known from then on', () => {
  const { process, records, written } = createRecords();
  assert.equal(records.mark(Buffer.from('hello'), 4711, 'bash'), true);
  assert.equal(records.markRaw(Buffer.of(1, 0, 0, 0), 4712, 'tool'), true);
  assert.deepEqual(written(), [
    [FTRACE_EVENTS.print.id, 4711],
    [FTRACE_EVENTS.raw_data.id, 4712],
  ]);
  assert.deepEqual(
    [...process.seen],
    [
      [4711, 'bash'],
      [4712, 'tool'],
    ],
  );
});

test('a gap raises the maximum to the longer of its two parts', () => {
  const { records, written } = createRecords();
  const latency = new MaxLatency();
  recordSample({ latency: () => latency, write: (...record) => records.write(...record) }, SAMPLE, 77);
  assert.deepEqual(written(), [[FTRACE_EVENTS.hwlat.id, 77]]);
  assert.equal(latency.value, 30_000);
});

test('a record belongs to the lowest cpu that tracing_cpumask allows', () => {
  const { buffers, records, written } = createRecords();
  for (const cpu of [0, 1, 2]) buffers.of(cpu);
  buffers.setMask((cpu) => cpu === 0);
  assert.equal(records.mark(Buffer.from('one'), 11, 'bash'), true);
  buffers.setMask((cpu) => cpu < 2);
  assert.equal(records.mark(Buffer.from('two'), 12, 'bash'), true);
  buffers.setMask(() => false);
  assert.equal(records.mark(Buffer.from('zero'), 10, 'bash'), true);
  const { id } = FTRACE_EVENTS.print;
  assert.deepEqual([0, 1, 2].map(written), [[[id, 10]], [[id, 11]], [[id, 12]]]);
  assert.equal(buffers.all.length, 3);
});

test('without an allowed cpu nothing is written and no task is seen', () => {
  const { process, buffers, records } = createRecords();
  buffers.setMask(() => true);
  assert.equal(records.mark(Buffer.from('hello'), 4711, 'bash'), false);
  const latency = new MaxLatency();
  recordSample({ latency: () => latency, write: (...record) => records.write(...record) }, SAMPLE, 77);
  assert.deepEqual([process.seen.size, latency.value], [0, 0]);
});
