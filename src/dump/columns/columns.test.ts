import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CallProfile } from '../../output/trace-dat/calls/call-profile.js';
import { functionRecord, graphEntry, graphExit, PageBuilder, printRecord } from '../../output/trace-dat/testing/page-builder.js';
import { functionTable } from '../../timeline/function-table.js';
import { ColumnsReader } from '../../timeline/read-columns.js';
import { MergedStacks, type StackNode } from '../../timeline/stacks.js';
import type { TimelineRecording } from '../../timeline/timeline-recording.js';
import { dumpedRecording } from '../dumped-recording.js';
import { dump as flameGraph } from '../flame-graph.js';
import { dumpTo } from '../testing/dump-to.js';
import { addressOf, GRAPHS, randomCalls, recordPages } from '../testing/random-calls.js';
import { writeColumns } from './columns.js';

function columnsOf(path: string): TimelineRecording {
  const reader = new ColumnsReader();
  writeColumns(dumpedRecording(path, undefined, {}), { name: 't.dat' }, (bytes) => reader.push(bytes.slice()));
  return reader.finish();
}

const wholeOf = ({ from, to }: TimelineRecording): { readonly from: number; readonly to: number } => ({ from, to });

/** The folded stacks of a tree. */
function folded(recording: TimelineRecording, node: StackNode, path: string): readonly string[] {
  const name = node.func < 0 ? path : `${path};${recording.functions[node.func]!.name}`;
  const own = node.self > 0 ? [`${name} ${node.self}`] : [];
  return [...own, ...node.children.flatMap((child) => folded(recording, child, name))];
}

for (const [name, graph] of Object.entries(GRAPHS)) {
  test(`the table of functions is that of the profile: ${name}`, (t) => {
    const path = recordPages(t, randomCalls(graph), randomCalls({ ...graph, seed: graph.seed + 100 }));
    const profile = new CallProfile();
    dumpedRecording(path, undefined, {}).walk(profile);
    const recording = columnsOf(path);
    const rows = functionTable(recording, wholeOf(recording));
    const expected = profile
      .sums('name')
      .functions.map((one) => [one.name, one.calls, one.total, one.self, one.average, one.p50, one.p99]);
    const found = rows.map((one) => [
      recording.functions[one.func]!.name,
      one.calls,
      one.total,
      one.self,
      one.average,
      one.p50,
      one.p99,
    ]);
    assert.deepEqual(found.sort(), expected.sort());
    assert.ok(
      rows.every(({ calls }) => calls > 50),
      'every function was called',
    );
  });
}

test('the stacks are those of the flame graph', (t) => {
  for (const seed of [11, 12, 13]) {
    const path = recordPages(t, randomCalls({ seed }));
    const pieces: Buffer[] = [];
    dumpTo(flameGraph, path, { write: (bytes) => pieces.push(Buffer.from(bytes)) > 0 });
    const recording = columnsOf(path);
    const root = new MergedStacks(recording, wholeOf(recording)).root('time', String);
    assert.deepEqual([...folded(recording, root, 'node')].sort(), Buffer.concat(pieces).toString().trimEnd().split('\n').sort());
  }
});

test('marks, losses, events without a duration and texts come too', (t) => {
  const pages = new PageBuilder()
    .event(1000n, graphEntry(7, addressOf(0), 0, 0, ['7', '"x"']))
    .event(1500n, printRecord(7, 0n, 'here <b>\n'))
    .event(1600n, functionRecord(7, addressOf(1), addressOf(0)))
    .event(2000n, graphExit(7, addressOf(0), 0, 1000n, 2000n, 0, '"y"'))
    .missed(9)
    .event(3000n, functionRecord(7, addressOf(1), addressOf(0)));
  const recording = columnsOf(recordPages(t, pages));
  const [track] = recording.tracks;
  const row = track!.rows[0]!;
  assert.deepEqual(
    [recording.texts.at(row.arguments![0]!), recording.texts.at(row.results![0]!), recording.marks, recording.losses],
    ['7, "x"', '"y"', [{ track: 0, time: 1500, text: 'here <b>' }], [{ track: 0, time: 3000, count: 9 }]],
  );
  assert.deepEqual([...track!.instants.times.all], [1600, 3000]);
  const rows = functionTable(recording, wholeOf(recording));
  assert.deepEqual(rows.map(({ func, calls, total }) => `${recording.functions[func]!.name} ${calls} ${total}`).sort(), [
    'main 1 1000',
    'parse 2 0',
  ]);
  assert.match(recording.end!.warnings.join(), /9 events were lost/);
});
