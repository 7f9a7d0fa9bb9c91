import assert from 'node:assert/strict';
import { test } from 'node:test';
import { durationBuckets, functionTable, longestCalls, sortTable } from './function-table.js';
import { heaviestCall } from './heaviest-call.js';
import { countCalls, nextHit, search } from './search.js';
import { MergedStacks, placedChildren, type StackNode, type StackOrder } from './stacks.js';
import { madeUp } from './testing/made-up.js';
import type { TimelineRecording } from './timeline-recording.js';

const GRAPH = `
main 0-100
  load 10-40
    read 15-30
  save 40-45
  load 50-90
    read 55-75
      load 60-70
`;
const ALL = { from: 0, to: 100 };

const nameIn =
  (recording: TimelineRecording) =>
  (func: number): string =>
    recording.functions[func]?.name ?? 'all';

function text(recording: TimelineRecording, node: StackNode): string {
  const inner = node.children.map((child) => text(recording, child)).join(' ');
  return `${nameIn(recording)(node.func)}:${node.total}/${node.self}x${node.count}${inner === '' ? '' : `(${inner})`}`;
}

function flame(graph: string, range = ALL, order: StackOrder = 'time'): string {
  const recording = madeUp({ main: graph });
  return text(recording, new MergedStacks(recording, range).root(order, nameIn(recording)));
}

test('equal stacks are one, in the order of time, of weight or of names', () => {
  assert.equal(flame(GRAPH), 'all:100/0x0(main:100/25x1(load:70/35x2(read:35/25x2(load:10/10x1)) save:5/5x1))');
  assert.match(flame('b 0-1\na 2-9\nc 9-10'), /b:.*a:.*c:/);
  assert.match(flame('b 0-1\na 2-9\nc 9-10', ALL, 'heavy'), /a:.*b:.*c:/);
  assert.match(flame('b 0-1\na 2-9\nc 9-10', ALL, 'name'), /a:.*b:.*c:/);
});

test('calls count as far as they lie in the range', () => {
  assert.equal(flame(GRAPH, { from: 20, to: 42 }), 'all:22/0x0(main:22/0x1(load:20/10x1(read:10/10x1) save:2/2x1))');
  assert.equal(flame('f 10-10\ng 10-20', { from: 10, to: 15 }), 'all:5/0x0(f:0/0x1 g:5/5x1)');
});

test('a call whose caller was lost stands over the call around it', () => {
  assert.equal(flame('main 0-100\n    deep 10-20'), 'all:100/0x0(main:100/100x1(deep:10/10x1))');
  assert.equal(flame('  deep 10-20\nmain 30-100'), 'all:80/0x0(main:70/70x1 deep:10/10x1)');
});

test('around a function are its callers and callees, of recursion the outermost call', () => {
  const recording = madeUp({ main: GRAPH });
  const stacks = new MergedStacks(recording, ALL);
  const { callees, callers } = stacks.around(recording.functions.findIndex(({ name }) => name === 'load'));
  assert.equal(text(recording, callees), 'load:70/35x2(read:35/25x2(load:10/10x1))');
  assert.equal(text(recording, callers), 'load:70/0x2(main:70/0x2)');
});

test('the table counts recursion once in the total, and no call that is not over', () => {
  const recording = madeUp({ main: GRAPH });
  const rows = functionTable(recording, ALL);
  const shown = sortTable(rows, 'name', nameIn(recording)).map(
    ({ func, calls, total, self, max }) => `${nameIn(recording)(func)} ${calls} ${total} ${self} ${max}`,
  );
  assert.deepEqual(shown, ['load 3 70 45 40', 'main 1 100 25 100', 'read 2 35 25 20', 'save 1 5 5 5']);
  const waiting = madeUp({ main: 'wait 0-10 suspended\nwait 20-30\nopen 40-50 unfinished' });
  assert.deepEqual(
    functionTable(waiting, ALL).map(({ func, calls, self }) => [func, calls, self]),
    [[0, 1, 20]],
  );
});

test('durations of a function fall into buckets, and its longest calls are found', () => {
  const recording = madeUp({ main: 'f 0-1\nf 2-4\nf 5-8\nf 10-26' });
  assert.deepEqual(durationBuckets(recording, 0, ALL), [
    { from: 1, to: 2, count: 1 },
    { from: 2, to: 4, count: 2 },
    { from: 4, to: 8, count: 0 },
    { from: 8, to: 16, count: 0 },
    { from: 16, to: 32, count: 1 },
  ]);
  assert.deepEqual(
    longestCalls(recording, 0, ALL, 2).map(({ index }) => index),
    [3, 2],
  );
});

test('a word is found in names, and the next call of them in time', () => {
  const recording = madeUp({ main: GRAPH, worker: 'reader 35-36' });
  const found = search(recording, 'READ');
  assert.deepEqual([...countCalls(recording, found.functions).values()].sort(), [1, 2]);
  const times: number[] = [];
  for (let time = -1; ; ) {
    const hit = nextHit(recording, found, time, 1);
    if (hit === undefined) break;
    times.push(hit.time);
    time = hit.time;
  }
  assert.deepEqual(times, [15, 35, 55]);
  assert.equal(nextHit(recording, found, 55, -1)?.time, 35);
  assert.equal(search(recording, 'read nothing').functions.size, 0);
  assert.equal(search(recording, '  ').functions.size, 0);
});

test('the heaviest call of a time has what packages took for it', () => {
  const recording = madeUp({
    main: 'handle 0-100\n  render 10-30\n  express 30-95\n    parse 35-45\n    query 50-60',
  });
  const functions = recording.functions.map((one) => ({ ...one, isOwn: one.name !== 'express' }));
  const named = (from: number, to: number): string | undefined => {
    const call = heaviestCall(Object.assign(Object.create(recording), { functions }), 0, { from, to });
    return call && `${functions[recording.tracks[0]!.rows[call.depth]!.functions[call.index]!]!.name} ${call.depth}`;
  };
  assert.equal(named(0, 100), 'handle 0');
  assert.equal(named(5, 30), 'render 1');
  assert.equal(named(48, 60), 'query 2');
  assert.equal(named(200, 300), undefined);
});

test('the children that take at least so long keep their places in the order of time; in others the room is behind them', () => {
  const recording = madeUp({ node: 'a 0-100\n  x 0-10\n  b 10-40\n  y 40-45\n  c 45-95\n' });
  const stacks = new MergedStacks(recording, { from: 0, to: 100 });
  const nameOf = (func: number): string => recording.functions[func]!.name;
  const placed = (order: 'time' | 'heavy' | 'name', least: number): readonly string[] => {
    const a = stacks.root(order, nameOf).children[0]!;
    return placedChildren(a, least).map(({ node, before }) => `${nameOf(node.func)} ${node.total} at ${before}`);
  };
  assert.deepEqual(placed('time', 0), ['x 10 at 0', 'b 30 at 10', 'y 5 at 40', 'c 50 at 45']);
  assert.deepEqual(placed('time', 20), ['b 30 at 10', 'c 50 at 45']);
  assert.deepEqual(placed('heavy', 20), ['c 50 at 0', 'b 30 at 50']);
  assert.deepEqual(placed('name', 6), ['b 30 at 0', 'c 50 at 30', 'x 10 at 80']);
  const root = stacks.root('time', nameOf);
  assert.equal(placedChildren(root.children[0]!, 20)[1]!.node, root.children[0]!.children[3]);
});
