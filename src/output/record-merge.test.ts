import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type RecordCursor, RecordPlace } from './record-cursor.js';
import { RecordMerge } from './record-merge.js';
import { CpuCursor } from './trace-dat/cpu-cursor.js';
import { functionRecord, PageBuilder } from './trace-dat/testing/page-builder.js';

/** A cursor over events at the given times, through a window of one sub-buffer. */
function cursor(cpu: number, times: readonly number[]): CpuCursor {
  const pages = new PageBuilder();
  for (const time of times) pages.event(time, functionRecord(1, 0n, 0n));
  const bytes = pages.bytes();
  let at = 0;
  const source = {
    missingBytes: 0,
    read(target: Uint8Array): number {
      const part = bytes.subarray(at, at + target.length);
      target.set(part);
      at += part.length;
      return part.length;
    },
  };
  return new CpuCursor(cpu, source, 4096, 4096, 0);
}

function merged(cpus: readonly (readonly number[])[]): [time: number, cpu: number][] {
  const found: [number, number][] = [];
  const merge = new RecordMerge(cpus.map((times, cpu) => cursor(cpu, times)));
  while (merge.take()) found.push([merge.ts, merge.cpu]);
  return found;
}

test('events come in the order of time; of equal ones the lower CPU first', () => {
  assert.deepEqual(merged([[5, 7, 7], [1, 7, 9], [], [7]]), [
    [1, 1],
    [5, 0],
    [7, 0],
    [7, 0],
    [7, 1],
    [7, 3],
    [9, 1],
  ]);
});

test('many CPUs and pages keep the order', () => {
  let seed = 7;
  const cpus = Array.from({ length: 9 }, () => {
    let time = 0;
    return Array.from({ length: 700 }, () => {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      time += seed % 5;
      return time;
    });
  });
  const expected = cpus
    .flatMap((times, cpu) => times.map((time): [number, number] => [time, cpu]))
    .sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  assert.deepEqual(merged(cpus), expected);
});

/** A cursor whose records come while it is read, as those of a pipe do. */
class Growing extends RecordPlace implements RecordCursor {
  readonly #times: number[];

  constructor(cpu: number, times: number[]) {
    super(cpu);
    this.#times = times;
  }

  advance(): boolean {
    const next = this.#times.shift();
    if (next === undefined) return false;
    this.ts = next;
    return true;
  }
}

test('a cpu that had nothing is looked at again before each record', () => {
  const [first, second]: [number[], number[]] = [[], [5, 6]];
  const merge = new RecordMerge([new Growing(0, first), new Growing(1, second)]);
  const take = (): unknown => merge.take() && [merge.ts, merge.cpu];
  assert.deepEqual(take(), [5, 1]);
  first.push(1, 6);
  assert.equal(merge.nextTime(), 1);
  assert.deepEqual([take(), take(), take(), take()], [[1, 0], [6, 0], [6, 1], false]);
  assert.equal(merge.isEmpty, true);
  second.push(9);
  assert.deepEqual([merge.isEmpty, take(), merge.nextTime()], [false, [9, 1], undefined]);
});

test('one may look ahead on a cpu, and skip what stands there', () => {
  const merge = new RecordMerge([new Growing(0, [1, 4, 6]), new Growing(1, [2, 5])]);
  merge.take();
  assert.equal(merge.peek()?.ts, 4);
  assert.equal(merge.peekNext(), undefined);
  merge.skip();
  assert.equal(merge.peek()?.ts, 6);
  const rest: number[] = [];
  while (merge.take()) rest.push(merge.ts);
  assert.deepEqual(rest, [2, 5, 6]);
});

test('what follows on the same cpu is the next of all where no other is earlier', () => {
  const merge = new RecordMerge([new Growing(0, [1, 2, 3]), new Growing(1, [3])]);
  merge.take();
  assert.equal(merge.peekNext()?.ts, 2);
  merge.skip();
  assert.equal(merge.peekNext()?.ts, 3, 'the lower cpu goes first');
});
