import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConsumedRecords } from '../../output/record-cursor.js';
import { RecordMerge } from '../../output/record-merge.js';
import { Recording, viewOf } from '../../output/testing/recording.js';
import type { TraceView } from '../../output/trace-view.js';
import { ftraceDump } from './ftrace-dump.js';

const dumped = (view: TraceView, recording: Recording): string =>
  [...ftraceDump(view, new RecordMerge([new ConsumedRecords(0, recording.reader)]))]
    .map((piece) => Buffer.from(piece).toString())
    .join('');

test('a dump has the lines of the latency format between rules, and takes the records out', () => {
  const recording = new Recording().call(1_000_000, 'parse', 'main').mark(2_000_000, 'look here');
  assert.equal(
    dumped(viewOf('function'), recording),
    'Dumping ftrace buffer:\n' +
      '---------------------------------\n' +
      '    node-4711      0..... 1000us!: parse <-main\n' +
      '    node-4711      0..... 2000us : 0: look here\n' +
      '---------------------------------\n',
  );
  assert.equal(dumped(viewOf('function'), recording), 'Dumping ftrace buffer:\n   (ftrace buffer empty)\n');
});

test('a graph is dumped with its own columns', () => {
  const recording = new Recording().enter(1000, 'parse', 0).leave(3000, 'parse', 0, 2000);
  assert.match(dumped(viewOf('function_graph'), recording), /\n 0\) {3}2\.000 us {4}\| {2}parse\(\);\n-/);
});
