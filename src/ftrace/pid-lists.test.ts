import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEFAULT_OPTIONS } from './options.js';
import { PidLists } from './pid-lists.js';

const FOLLOW = { ...DEFAULT_OPTIONS, 'function-fork': true };

test('with function-fork a task that a listed one starts is listed, and gone when it ends', () => {
  const lists = new PidLists();
  lists.set('set_ftrace_pid', new Set([1]));
  lists.set('set_ftrace_notrace_pid', new Set([2]));
  lists.set('set_event_pid', new Set([1]));
  assert.deepEqual(lists.forked(1, 10, FOLLOW), ['set_ftrace_pid']);
  assert.deepEqual(lists.forked(2, 20, FOLLOW), ['set_ftrace_notrace_pid']);
  assert.deepEqual(lists.forked(3, 30, FOLLOW), []);
  assert.deepEqual([...lists.get('set_ftrace_pid')!], [1, 10]);
  assert.deepEqual([...lists.get('set_event_pid')!], [1]);
  assert.deepEqual(lists.exited(10, FOLLOW), ['set_ftrace_pid']);
  assert.deepEqual(lists.exited(1, FOLLOW), ['set_ftrace_pid']);
  assert.equal(lists.get('set_ftrace_pid')!.size, 0);
});

test('without it children do not follow, and the list keeps tasks that are gone', () => {
  const lists = new PidLists();
  lists.set('set_ftrace_pid', new Set([1]));
  assert.deepEqual(lists.forked(1, 10, DEFAULT_OPTIONS), []);
  assert.deepEqual(lists.exited(1, DEFAULT_OPTIONS), []);
  assert.deepEqual([...lists.get('set_ftrace_pid')!], [1]);
});
