import assert from 'node:assert/strict';
import { test } from 'node:test';
import { threadTitle } from './thread-title.js';

test('the name of a worker stays on one line, and commands no terminal', () => {
  assert.equal(threadTitle({ thread: 3, name: 'jobs\n\u001b[2J\tof\r\nx' }), 'worker 3 (jobs ^[[2J of^M x)');
  assert.equal(threadTitle({ thread: 0, name: '' }), 'main thread');
  assert.equal(threadTitle({ thread: 2, name: '' }), 'worker 2');
});
