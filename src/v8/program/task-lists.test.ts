import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TaskLists } from './task-lists.js';

const TOP = 0;
const FOO = 3;

/** The instances of `slots` that trace a task. */
const tracing = (lists: TaskLists, pid: number, ...slots: readonly number[]): number[] =>
  slots.filter((slot) => (lists.ignoredBy(lists.of(pid)) & (1 << slot)) === 0);

test('an instance traces the tasks that it lists, all when it lists none, and never those that it must not', () => {
  const lists = new TaskLists();
  lists.set(TOP, { pids: [5, 6], notrace: [6], follow: false });
  assert.deepEqual(tracing(lists, 5, TOP, FOO), [TOP, FOO]);
  assert.deepEqual(tracing(lists, 6, TOP, FOO), [FOO]);
  assert.deepEqual(tracing(lists, 7, TOP, FOO), [FOO]);
  lists.set(FOO, { pids: undefined, notrace: [5], follow: false });
  assert.deepEqual(tracing(lists, 5, TOP, FOO), [TOP]);
  lists.set(TOP, undefined);
  assert.deepEqual(tracing(lists, 7, TOP, FOO), [TOP, FOO]);
});

test('with function-fork what a listed task starts is listed as it is', () => {
  const lists = new TaskLists();
  lists.set(TOP, { pids: [5], notrace: [], follow: true });
  lists.set(FOO, { pids: [5], notrace: [], follow: false });
  assert.equal(lists.started(10, lists.of(5), false), true);
  assert.equal(lists.started(11, lists.of(4), false), false);
  assert.deepEqual(tracing(lists, 10, TOP, FOO), [TOP]);
  assert.deepEqual(lists.get(TOP).pids.sort(), [10, 5]);
  lists.ended(10);
  lists.ended(5);
  assert.deepEqual([lists.get(TOP).pids, lists.get(FOO).pids], [[], [5]]);
});

test('a task that runs once leaves when it has; one that must not be traced passes that on', () => {
  const lists = new TaskLists();
  lists.set(TOP, { pids: [5], notrace: [5], follow: true });
  lists.started(10, lists.of(5), true);
  assert.deepEqual(tracing(lists, 10, TOP), []);
  lists.ran(10, lists.of(10));
  assert.equal(lists.of(10), 0);
});

test('a switch is traced for either of its tasks', () => {
  const lists = new TaskLists();
  const traced = (prev: number, next: number): boolean => (lists.ignoredByBoth(lists.of(prev), lists.of(next)) & 1) === 0;
  const switches = [
    [5, 7],
    [7, 5],
    [7, 8],
    [5, 6],
  ] as const;
  const all = (): boolean[] => switches.map(([prev, next]) => traced(prev, next));
  assert.deepEqual(all(), [true, true, true, true]);
  lists.set(TOP, { pids: [5, 6], notrace: undefined, follow: false });
  assert.deepEqual(all(), [true, true, false, true]);
  lists.set(TOP, { pids: undefined, notrace: [5, 6], follow: false });
  assert.deepEqual(all(), [true, true, true, false]);
  lists.set(TOP, { pids: [5, 7], notrace: [7, 8], follow: true });
  assert.deepEqual(all(), [true, true, false, true]);
});
