import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ClockedWriter } from './clocked-writer.js';
import { createRingBuffer } from './create-ring-buffer.js';
import { createInstanceSwitch, InstanceSwitch } from './instance-switch.js';
import { RingBufferReader } from './reader.js';
import { clockReading, clockSource, isClockInNs, listClocks } from './trace-clocks.js';
import { RingBufferWriter } from './writer.js';

const counter = (): BigInt64Array => new BigInt64Array(new SharedArrayBuffer(8));

function write(writer: Pick<RingBufferWriter, 'reserve' | 'commit'>, ns: number): void {
  assert.ok(writer.reserve(12, ns) >= 0);
  writer.commit();
}

function times(reader: RingBufferReader): number[] {
  const found: number[] = [];
  for (; reader.peek(); reader.consume()) found.push(reader.ts);
  return found;
}

test('counter counts events of all threads, uptime counts hundredths of a second', () => {
  const shared = counter();
  const one = clockReading('counter', shared);
  const other = clockReading('counter', shared);
  assert.deepEqual([one?.(5e9), other?.(5e9), one?.(5e9)], [1, 2, 3]);
  assert.equal(clockReading('uptime', shared)?.(12_345_678_901), 1234);
  assert.equal(clockReading('mono', shared), undefined);
});

test('the time stamp counter is there for threads that can read it', () => {
  const tsc = (): number => 77;
  assert.equal(clockReading('x86-tsc', counter(), tsc), tsc);
  assert.equal(clockReading('x86-tsc', counter()), undefined);
  assert.equal(listClocks('mono', false), 'local global counter uptime perf [mono] boot\n');
  assert.equal(listClocks('x86-tsc', true), 'local global counter uptime perf mono boot [x86-tsc]\n');
});

test('times that are no nanoseconds are not shown as such', () => {
  assert.deepEqual(
    (['local', 'uptime', 'boot', 'counter', 'x86-tsc'] as const).map((clock) => isClockInNs(clock)),
    [true, false, true, false, false],
  );
});

test('events have the times of the clock, also when those before had later ones', () => {
  const memory = createRingBuffer(8192);
  const writer = new RingBufferWriter(memory);
  const reader = new RingBufferReader(memory);
  write(writer, 5e9);
  assert.deepEqual(times(reader), [5e9]);
  assert.equal(writer.forgetTime(), true);
  const counting = new ClockedWriter(writer, clockReading('counter', counter())!);
  for (const ns of [6e9, 7e9, 8e9]) write(counting, ns);
  assert.deepEqual(times(reader), [1, 2, 3]);
  assert.equal(writer.forgetTime(), true);
  write(writer, 9e9);
  assert.deepEqual(times(reader), [9e9]);
});

test('the time is not forgotten in the middle of an event', () => {
  const writer = new RingBufferWriter(createRingBuffer(8192));
  writer.reserve(12, 5e9);
  assert.equal(writer.forgetTime(), false);
  writer.commit();
  assert.equal(writer.forgetTime(), true);
});

test('a snapshot that is taken later does not bring the old times back', () => {
  const [live, spare] = [createRingBuffer(8192), createRingBuffer(8192)];
  const instance = new InstanceSwitch(createInstanceSwitch(1));
  const writer = new RingBufferWriter(live, instance);
  writer.setSpare(spare);
  instance.swap();
  write(writer, 5e9);
  instance.swap();
  write(writer, 6e9);
  assert.equal(writer.forgetTime(), true);
  write(writer, 1);
  instance.swap();
  write(writer, 2);
  assert.deepEqual(times(new RingBufferReader(spare)), [5e9, 2]);
});

test('the source of the clocks in nanoseconds is the counter, or CLOCK_MONOTONIC with the reason', () => {
  assert.equal(clockSource({}), 'counter\n');
  assert.equal(clockSource({ notChosen: 'there is no WebAssembly' }), 'monotonic: there is no WebAssembly\n');
});
