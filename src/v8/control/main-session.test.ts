import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createControlBlock, THREAD_WORD, threadWord, WORD } from '../shared/control-block.js';
import { createMainSession } from './main-session.js';

test('the main thread sees a session from before it is opened until it is closed', () => {
  const block = createControlBlock();
  const session = createMainSession(block);
  assert.equal(session.begin(), true);
  assert.equal(block[WORD.IN_SESSION], 1);
  session.end();
  assert.equal(block[WORD.IN_SESSION], 0);
});

test('when the main thread is about to end, an open session must end, and none begins', () => {
  const block = createControlBlock();
  const session = createMainSession(block);
  session.begin();
  assert.equal(session.mustEnd, false);
  block[threadWord(0, THREAD_WORD.ENDING)] = 1;
  assert.equal(session.mustEnd, true);
  session.end();
  assert.equal(session.begin(), false);
  assert.equal(block[WORD.IN_SESSION], 0);
});

test('while one of two sessions is open, the main thread waits', () => {
  const block = createControlBlock();
  const session = createMainSession(block);
  session.begin();
  session.begin();
  session.end();
  assert.equal(block[WORD.IN_SESSION], 1);
  session.end();
  assert.equal(block[WORD.IN_SESSION], 0);
});
