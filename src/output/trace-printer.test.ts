import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConsumedRecords } from './record-cursor.js';
import { RecordMerge } from './record-merge.js';
import { printed, Recording, viewOf } from './testing/recording.js';
import { TracePrinter } from './trace-printer.js';
import { TraceSeq } from './trace-seq.js';

test('a function line tells who, where, when and from where', () => {
  const recording = new Recording().call(12_345_678_900, 'parse', 'main').call(12_345_679_900, 'render', 'handle');
  assert.deepEqual(printed(viewOf('function'), recording), [
    '            node-4711    [000] .....    12.345679: parse <-main',
    '            node-4711    [000] .....    12.345680: render <-handle',
  ]);
});

test('arguments have the names of their parameters', () => {
  const recording = new Recording().call(1e9, 'parse', 'main', ['"é"', '3']).call(2e9, 'main', 'handle', []);
  assert.deepEqual(printed(viewOf('function'), recording), [
    '            node-4711    [000] .....     1.000000: parse(text="é", limit=3) <-main',
    '            node-4711    [000] .....     2.000000: main() <-handle',
  ]);
});

test('threads are merged by time, the lower one first when times are equal', () => {
  const first = new Recording(0).call(1000, 'main', 'main').call(3000, 'parse', 'main');
  const second = new Recording(1, 99).call(1000, 'handle', 'main').call(2000, 'render', 'main');
  const names = printed(viewOf('function'), first, second).map((line) => line.replace(/^.*: | <-.*$/g, ''));
  assert.deepEqual(names, ['main', 'handle', 'render', 'parse']);
});

test('a pipe takes records out as it prints them, and tells how many were lost', () => {
  const recording = new Recording(0, 4711, 1);
  for (let i = 0; i < 1000; i++) recording.call(1000 * i, 'parse', 'main');
  const merge = new RecordMerge([new ConsumedRecords(0, recording.reader)]);
  const printer = new TracePrinter(viewOf('function'), { annotate: false });
  const seq = new TraceSeq();
  const inside = recording.reader.stats(0).entries;
  assert.ok(merge.take());
  printer.print(seq, merge);
  assert.equal(recording.reader.stats(0).entries, inside - 1);
  let lines = 1;
  for (; merge.take(); lines++) printer.print(seq, merge);
  assert.equal(recording.reader.stats(0).entries, 0);
  assert.match(seq.toString(), new RegExp(`^CPU:0 \\[LOST ${1000 - lines} EVENTS\\]\n`));
});

test('a snapshot consumes nothing', () => {
  const recording = new Recording().call(1000, 'parse', 'main');
  assert.deepEqual(printed(viewOf('function'), recording), printed(viewOf('function'), recording));
});
