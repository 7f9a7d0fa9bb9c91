import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CallParts } from './call-parts.js';
import { CONTEXTS, REQUESTS } from './columns-format.js';
import { ContextGroups, groupingsOf } from './context-groups.js';
import { madeUp } from './testing/made-up.js';
import type { TimelineRecording } from './timeline-recording.js';

const CALLS = `
a 0-10
  b 2-4
a 10-20
c 20-30
  b 22-24
a 30-40
d 50-60
`;

/** A slice: kind, start, end, context, request, title. */
type Slice = readonly [kind: string, start: number, end: number, context: number, request: number, title: string];

function recorded(slices: readonly Slice[]): TimelineRecording {
  const recording = madeUp({ node: CALLS });
  recording.sliceKinds.push({ name: CONTEXTS }, { name: REQUESTS });
  for (const [kind, start, end, context, request, title] of slices) {
    recording.slices.kinds.push(kind === CONTEXTS ? 0 : 1);
    recording.slices.tracks.push(0);
    recording.slices.starts.push(start);
    recording.slices.durations.push(end - start);
    recording.slices.contexts.push(context);
    recording.slices.requests.push(request);
    recording.slices.titles.push(recording.texts.count);
    recording.texts.add(new TextEncoder().encode(title));
  }
  return recording;
}

const SLICES: readonly Slice[] = [
  [CONTEXTS, 0, 10, 5, 1, 'PROMISE 5'],
  [CONTEXTS, 10, 20, 6, 2, 'PROMISE 6'],
  [CONTEXTS, 20, 30, 7, 1, 'PROMISE 7'],
  [REQUESTS, 0, 31, 5, 1, 'GET /slow 200'],
  [CONTEXTS, 30, 40, 6, 2, 'PROMISE 6'],
  [CONTEXTS, 50, 60, 9, -1, 'Timeout 9'],
];

const linesOf = (recording: TimelineRecording, groups: ContextGroups): readonly string[] =>
  groups.all.map((group) => {
    const calls = group.rows().map(({ row, indexes }) => {
      const names = Array.from(indexes, (_, i) => `${recording.functions[row.functions[i]!]!.name}${row.starts[i]}`);
      return names.join(' ');
    });
    return `${group.title} ${group.time} ran ${group.busy}: ${calls.join(' | ')}`;
  });

test('calls are grouped by the request that their context works for, the longest first', () => {
  const recording = recorded(SLICES);
  assert.deepEqual(groupingsOf(recording), ['thread', 'request', 'context']);
  assert.deepEqual(linesOf(recording, new ContextGroups(recording, 'request')), [
    'GET /slow 200 31 ran 20: a0 c20 | b2 b22',
    'request 2 30 ran 20: a10 a30',
  ]);
});

test('calls are grouped by their async context', () => {
  const recording = recorded(SLICES);
  assert.deepEqual(linesOf(recording, new ContextGroups(recording, 'context')), [
    'PROMISE 6 30 ran 20: a10 a30',
    'PROMISE 5 10 ran 10: a0 | b2',
    'PROMISE 7 10 ran 10: c20 | b22',
    'Timeout 9 10 ran 10: d50',
  ]);
  const none = recorded([[CONTEXTS, 0, 10, 5, -1, 'PROMISE 5']]);
  assert.deepEqual(groupingsOf(none), ['thread', 'context']);
  assert.deepEqual(groupingsOf(madeUp({ node: CALLS })), ['thread']);
});

test('a group is found by time and by slice, and a call in it by its neighbour', () => {
  const groups = new ContextGroups(recorded(SLICES), 'request');
  const [slow, other] = groups.all;
  assert.deepEqual([groups.at(0, 22), groups.at(0, 39), groups.at(0, 45), groups.at(0, 55)], [slow, other, undefined, undefined]);
  assert.deepEqual([groups.ofSlice(3), groups.ofSlice(1)], [slow, other]);
  const first = { track: 0, depth: 0, index: 0 };
  assert.deepEqual(slow!.neighbour(first, 1), { ...first, index: 2 });
  assert.equal(slow!.neighbour(first, -1), undefined);
});

test('the parts of a coroutine are found from each of them', () => {
  const recording = madeUp({
    node: 'f 0-5 suspended 3\ng 5-9\nf 9-12 resumed suspended 3\nf 12-14 suspended 4\nf 20-22 resumed 3',
  });
  const parts = new CallParts(recording);
  const indexesOf = (index: number) => parts.of({ track: 0, depth: 0, index }).map((one) => one.index);
  assert.deepEqual([indexesOf(0), indexesOf(1), indexesOf(2), indexesOf(3)], [[0, 2, 4], [], [0, 2, 4], [3]]);
});
