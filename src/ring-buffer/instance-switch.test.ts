import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRingBuffer } from './create-ring-buffer.js';
import { createInstanceSwitch, InstanceSwitch } from './instance-switch.js';
import { RingBufferReader } from './reader.js';
import { RingBufferWriter } from './writer.js';

/** A cpu of an instance: its writer, and the readers of its two memories. */
class Cpu {
  readonly writer: RingBufferWriter;
  readonly readers: readonly RingBufferReader[];
  readonly #instance: InstanceSwitch;
  readonly #cpu: number;

  constructor(instance: InstanceSwitch, cpu: number) {
    const memories = [createRingBuffer(8192), createRingBuffer(8192)];
    this.readers = memories.map((memory) => new RingBufferReader(memory));
    this.writer = new RingBufferWriter(memories[0]!, instance, cpu);
    this.writer.setSpare(memories[1]);
    this.#instance = instance;
    this.#cpu = cpu;
  }

  write(value: number): boolean {
    const at = this.writer.reserve(4, value);
    if (at < 0) return false;
    this.writer.u32[at] = value;
    this.writer.commit();
    return true;
  }

  get buffer(): number[] {
    return valuesIn(this.readers[this.#instance.live(this.#cpu)]!);
  }

  get snapshot(): number[] {
    return valuesIn(this.readers[1 - this.#instance.live(this.#cpu)]!);
  }
}

function valuesIn(reader: RingBufferReader): number[] {
  const snapshot = reader.snapshot();
  const values: number[] = [];
  while (snapshot.next()) values.push(snapshot.words[snapshot.payload >> 2]!);
  return values;
}

const instanceOf = (cpus: number): InstanceSwitch => new InstanceSwitch(createInstanceSwitch(cpus));

test('recording is switched for all writers of an instance at once, from any of them', () => {
  const instance = instanceOf(2);
  const [a, b] = [new Cpu(instance, 0), new Cpu(instance, 1)];
  assert.deepEqual([a.write(1), b.write(2)], [true, true]);
  a.writer.setTracingOn(false);
  assert.equal(instance.tracingOn, false);
  assert.deepEqual([a.write(3), b.write(4)], [false, false]);
  b.writer.setTracingOn(true);
  assert.deepEqual([a.write(5), b.write(6)], [true, true]);
  assert.deepEqual(
    [a.buffer, b.buffer],
    [
      [1, 5],
      [2, 6],
    ],
  );
});

test('each reason to be off holds for itself', () => {
  const instance = instanceOf(1);
  const cpu = new Cpu(instance, 0);
  instance.setOff('paused', true);
  assert.deepEqual([instance.tracingOn, cpu.write(1)], [true, false]);
  instance.setOff('tracingOn', true);
  instance.setOff('paused', false);
  assert.deepEqual([instance.tracingOn, cpu.write(2)], [false, false]);
  assert.equal(cpu.readers[0]!.stats(0).commitOverrun + cpu.readers[0]!.stats(0).droppedEvents, 0);
});

test('a snapshot puts the events of all writers aside: of the one that takes it now, of the others before their next', () => {
  const instance = instanceOf(2);
  const [a, b] = [new Cpu(instance, 0), new Cpu(instance, 1)];
  a.write(1);
  b.write(2);
  a.writer.snapshotNow();
  assert.deepEqual([a.buffer, a.snapshot], [[], [1]]);
  b.write(3);
  assert.deepEqual([b.buffer, b.snapshot], [[3], [2]]);
});

test('the next snapshot brings the one before back into the buffer, as the kernel swaps them', () => {
  const instance = instanceOf(1);
  const cpu = new Cpu(instance, 0);
  cpu.write(1);
  cpu.writer.snapshotNow();
  cpu.write(2);
  cpu.writer.snapshotNow();
  cpu.write(3);
  assert.deepEqual([cpu.buffer, cpu.snapshot], [[1, 3], [2]]);
});

test('two snapshots between two events leave everything in its place', () => {
  const instance = instanceOf(1);
  const cpu = new Cpu(instance, 0);
  cpu.write(1);
  instance.swap();
  instance.swap();
  assert.equal(cpu.writer.takeSnapshot(), true);
  assert.deepEqual([cpu.buffer, cpu.snapshot], [[1], []]);
});

test('an event that is being written stays where it is', () => {
  const instance = instanceOf(1);
  const cpu = new Cpu(instance, 0);
  const at = cpu.writer.reserve(4, 1);
  instance.swap();
  assert.equal(cpu.writer.takeSnapshot(), false);
  assert.equal(cpu.writer.reserve(4, 2), -1);
  cpu.writer.u32[at] = 1;
  cpu.writer.commit();
  assert.equal(cpu.writer.takeSnapshot(), true);
  assert.deepEqual([cpu.buffer, cpu.snapshot], [[], [1]]);
});

test('a writer that meets a snapshot before it is given the memory for it goes there at its next event', () => {
  const instance = instanceOf(1);
  const cpu = new Cpu(instance, 0);
  cpu.write(1);
  const next = new RingBufferWriter(cpu.readers[0]!.memory, instance, 0);
  instance.swap();
  assert.equal(next.takeSnapshot(), true);
  next.setSpare(cpu.readers[1]!.memory);
  assert.equal(next.takeSnapshot(), true);
  assert.deepEqual([cpu.buffer, cpu.snapshot], [[], [1]]);
});

test('a snapshot that was taken before a writer started is not taken of its buffer again', () => {
  const instance = instanceOf(1);
  const cpu = new Cpu(instance, 0);
  cpu.write(1);
  cpu.writer.snapshotNow();
  const next = new RingBufferWriter(cpu.readers[1]!.memory, instance, 0);
  next.setSpare(cpu.readers[0]!.memory);
  next.takeSnapshot();
  assert.deepEqual([cpu.buffer, cpu.snapshot], [[], [1]]);
});

test('without a spare memory nothing is put aside', () => {
  const instance = instanceOf(1);
  const cpu = new Cpu(instance, 0);
  cpu.writer.setSpare(undefined);
  cpu.write(1);
  cpu.writer.snapshotNow();
  cpu.write(2);
  assert.deepEqual(cpu.buffer, [1, 2]);
});

test('either memory can get another size, whichever the writer is in by then', () => {
  const instance = instanceOf(1);
  const cpu = new Cpu(instance, 0);
  cpu.write(1);
  const larger = createRingBuffer(65536);
  cpu.readers[0]!.expectMove(larger);
  cpu.writer.snapshotNow();
  cpu.writer.moveTo(larger, 0);
  cpu.write(2);
  assert.deepEqual([cpu.buffer, cpu.snapshot], [[2], [1]]);
  assert.ok(cpu.readers[0]!.nrPages > cpu.readers[1]!.nrPages);
  cpu.writer.snapshotNow();
  cpu.write(3);
  assert.deepEqual([cpu.buffer, cpu.snapshot], [[1, 3], [2]]);
});

test('a snapshot wakes those that wait for one', async () => {
  const instance = instanceOf(1);
  const changed = instance.changed();
  instance.swap();
  await changed;
  assert.equal(instance.snapshots, 1);
});
