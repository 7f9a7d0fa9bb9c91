import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { task } from './task.js';
import { hear } from './testing/heard-events.js';

test('a context is a task that shares everything; a child process is renamed when it executes its file', async () => {
  const { heard, stop } = hear(task, ['task_newtask', 'task_rename']);
  setImmediate(() => {});
  const { text } = heard.at(-1)!;
  const child = execFile('/bin/true');
  const ofChild = heard.filter(({ values }) => values.pid === child.pid).map(({ text }) => text);
  await once(child, 'close');
  stop();
  assert.match(text, /^pid=\d+ comm=Immediate clone_flags=10f00$/);
  assert.match(ofChild[0]!, new RegExp(`^pid=${child.pid} comm=\\S+ clone_flags=0$`));
  assert.match(ofChild[1]!, new RegExp(`^pid=${child.pid} oldcomm=\\S+ newcomm=true$`));
});
