import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeColumns } from '../../dump/columns/columns.js';
import { dumpedRecording } from '../../dump/dumped-recording.js';
import { GRAPHS, randomCalls, recordPages } from '../../dump/testing/random-calls.js';
import { compareRecordings } from '../../timeline/compare.js';
import { ComparedTimelines } from '../../timeline/compare-timelines.js';
import { ColumnsReader } from '../../timeline/read-columns.js';
import type { TimelineRecording } from '../../timeline/timeline-recording.js';
import { measureRecording } from './measure-recording.js';

function columnsOf(path: string): TimelineRecording {
  const reader = new ColumnsReader();
  writeColumns(dumpedRecording(path, undefined, {}), { name: path }, (bytes) => reader.push(bytes.slice()));
  return reader.finish();
}

for (const [name, graph] of Object.entries(GRAPHS)) {
  test(`the page compares two recordings as fentry diff does: ${name}`, (t) => {
    const [before, after] = [graph, { ...graph, seed: graph.seed + 50 }].map((one) => {
      const pages = randomCalls(one);
      // Exits only are told of when the outermost call has ended: those of two threads are in another order.
      return one.exitsOnly ? recordPages(t, pages) : recordPages(t, pages, randomCalls({ ...one, seed: one.seed + 100 }));
    }) as [string, string];
    const expected = compareRecordings(
      measureRecording(before, () => {}),
      measureRecording(after, () => {}),
    );
    assert.ok(expected.functions.length >= 6);
    assert.deepEqual(new ComparedTimelines(columnsOf(before), columnsOf(after)).answer, expected);
  });
}
