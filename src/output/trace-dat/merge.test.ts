import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CpuCursor } from './cpu-cursor.js';
import { Merge } from './merge.js';
import { functionRecord, PageBuilder } from './testing/page-builder.js';

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
  const merge = new Merge(cpus.map((times, cpu) => cursor(cpu, times)));
  for (; merge.current !== undefined; merge.advance()) found.push([merge.current.time, merge.current.cpu]);
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
