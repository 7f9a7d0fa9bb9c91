import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { createControlBlock, EVALUATION, THREAD_WORD, takeCpu, threadWord, WORD } from '../shared/control-block.js';
import { awaitSessionEnd, endsItself, followTerminate } from './worker-end.js';

const ending = (block: Int32Array, ...cpus: number[]): number[] => cpus.map((cpu) => block[threadWord(cpu, THREAD_WORD.ENDING)]!);

test('a thread that ends marks itself and all that it started', () => {
  const block = createControlBlock();
  takeCpu(block, 100);
  takeCpu(block, 101, 100, 1);
  takeCpu(block, 102, 101, 2);
  takeCpu(block, 103, 100, 3);
  endsItself(block, 1);
  assert.deepEqual(ending(block, 0, 1, 2, 3), [0, 1, 1, 0]);
});

test('terminate() marks the worker before it ends it, and answers as ever', async () => {
  const block = createControlBlock();
  takeCpu(block, 100);
  const worker = new Worker('setInterval(() => {}, 1000)', { eval: true });
  await once(worker, 'online');
  takeCpu(block, 101, 100, worker.threadId);
  takeCpu(block, 102, 101, worker.threadId + 1);
  takeCpu(block, 103, 100, worker.threadId + 2);
  const forget = followTerminate(block);
  const exit = worker.terminate();
  assert.deepEqual(ending(block, 0, 1, 2, 3), [0, 1, 1, 0]);
  assert.equal(await exit, 1);
  forget();
});

test('terminate() returns only when the evaluation that has begun in the worker is over', async () => {
  const block = createControlBlock();
  takeCpu(block, 100);
  const at = threadWord(1, THREAD_WORD.EVALUATIONS);
  // Ends its evaluation when it is marked.
  const worker = new Worker(
    `const { block, ending, at } = require('node:worker_threads').workerData;
     while (Atomics.load(block, ending) === 0);
     Atomics.store(block, at, 0);
     setInterval(() => {}, 1000);`,
    { eval: true, workerData: { block, at, ending: threadWord(1, THREAD_WORD.ENDING) } },
  );
  takeCpu(block, 101, 100, worker.threadId);
  block[at] = EVALUATION.ASKED;
  await once(worker, 'online');
  const forget = followTerminate(block);
  await worker.terminate();
  forget();
  assert.equal(block[at], 0);
});

test('a worker that answers nothing is waited for only so long', async () => {
  const block = createControlBlock();
  takeCpu(block, 100);
  const worker = new Worker('Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)', { eval: true });
  await once(worker, 'online');
  takeCpu(block, 101, 100, worker.threadId);
  block[threadWord(1, THREAD_WORD.EVALUATIONS)] = EVALUATION.ASKED;
  const forget = followTerminate(block);
  assert.equal(await worker.terminate(), 1);
  forget();
});

test('the main thread waits for the end of a session, but not for ever', async () => {
  const block = createControlBlock();
  // Ends its session when the main thread waits.
  const worker = new Worker(
    `const { block, at } = require('node:worker_threads').workerData;
     require('node:worker_threads').parentPort.once('message', () => {
       Atomics.store(block, at, 0);
       Atomics.notify(block, at);
     });`,
    { eval: true, workerData: { block, at: WORD.IN_SESSION } },
  );
  await once(worker, 'online');
  block[WORD.IN_SESSION] = 1;
  worker.postMessage('end');
  awaitSessionEnd(block);
  assert.equal(block[WORD.IN_SESSION], 0);
  await worker.terminate();
  block[WORD.IN_SESSION] = 1;
  awaitSessionEnd(block);
});
