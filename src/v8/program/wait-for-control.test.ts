import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { createControlBlock, WORD } from '../shared/control-block.js';
import { waitForControl } from './wait-for-control.js';

/** A worker that says which thread it is, as the control thread does, and then does what `then` says. */
const control = (block: Int32Array, then: string): Worker =>
  new Worker(
    `const { workerData: block } = require('node:worker_threads');
const tid = Number(require('node:fs').readlinkSync('/proc/thread-self').split('/').pop());
Atomics.store(block, ${WORD.CONTROL_TID}, tid);
Atomics.notify(block, ${WORD.CONTROL_TID});
${then}`,
    { eval: true, workerData: block },
  );

test('a control thread that is slow is waited for', async (t) => {
  const block = createControlBlock();
  const slow = `Atomics.wait(block, ${WORD.DUMPS_DONE}, 0, 1200);
Atomics.store(block, ${WORD.CONTROL}, 2);
Atomics.notify(block, ${WORD.CONTROL});`;
  const worker = control(block, slow);
  t.after(() => worker.terminate());
  assert.equal(waitForControl(block, WORD.CONTROL, 2), true);
});

test('one that has ended is not', () => {
  const block = createControlBlock();
  control(block, '').unref();
  assert.equal(waitForControl(block, WORD.CONTROL_TID, 1), true);
  assert.equal(waitForControl(block, WORD.CONTROL, 2), false);
});

test('one that never began is not, as soon as the process has no thread more than before', () => {
  const block = createControlBlock();
  Atomics.store(block, WORD.THREADS_BEFORE, 1000);
  assert.equal(waitForControl(block, WORD.CONTROL, 2), false);
});
