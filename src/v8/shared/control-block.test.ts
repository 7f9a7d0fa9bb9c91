import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { MAX_THREADS } from '../../port/limits.js';
import {
  ASKER,
  type Asker,
  cpuOfWorker,
  createControlBlock,
  EVALUATION,
  evaluationBits,
  isEvaluating,
  releaseCpu,
  THREAD_WORD,
  takeCpu,
  threadWord,
  WORD,
  waitForWord,
} from './control-block.js';

test('threads take the lowest cpu that no living thread has', () => {
  const block = createControlBlock();
  assert.deepEqual([takeCpu(block, 100), takeCpu(block, 101), takeCpu(block, 102)], [0, 1, 2]);
  releaseCpu(block, 1);
  assert.equal(takeCpu(block, 103), 1);
  assert.equal(block[threadWord(1, THREAD_WORD.TID)], 103);
});

test('a thread on a cpu that another had begins with no links', () => {
  const block = createControlBlock();
  takeCpu(block, 100);
  for (const word of [THREAD_WORD.LINKS_SENT, THREAD_WORD.LINKS_DONE, THREAD_WORD.CONNECTED]) block[threadWord(0, word)] = 7;
  releaseCpu(block, 0);
  takeCpu(block, 101);
  for (const word of [THREAD_WORD.LINKS_SENT, THREAD_WORD.LINKS_DONE, THREAD_WORD.CONNECTED]) {
    assert.equal(block[threadWord(0, word)], 0);
  }
});

test('a worker’s cpu is found by its number, and one that has none yet will have the lowest', () => {
  const block = createControlBlock();
  for (const [tid, worker] of [
    [100, 0],
    [101, 2],
    [102, 3],
  ] as const)
    takeCpu(block, tid, 0, worker);
  assert.deepEqual(
    [2, 3, 4].map((worker) => cpuOfWorker(block, worker)),
    [1, 2, 3],
  );
  releaseCpu(block, 1);
  assert.deepEqual(
    [2, 4].map((worker) => cpuOfWorker(block, worker)),
    [1, 1],
  );
  takeCpu(block, 103, 0, 4);
  assert.deepEqual(
    [2, 4].map((worker) => cpuOfWorker(block, worker)),
    [3, 1],
  );
});

test('threads beyond the last cpu are counted', () => {
  const block = createControlBlock();
  for (let cpu = 0; cpu < MAX_THREADS; cpu++) assert.equal(takeCpu(block, 1000 + cpu), cpu);
  assert.equal(takeCpu(block, 5000), undefined);
  assert.equal(block[WORD.UNTRACED_THREADS], 1);
});

test('waiting ends when another thread sets the word, or when the time is over', async (t) => {
  const block = createControlBlock();
  assert.equal(waitForWord(block, WORD.CONTROL, 1, 1), false);
  const source = `const { workerData } = require('node:worker_threads');
Atomics.store(workerData, ${WORD.CONTROL}, 3);
Atomics.notify(workerData, ${WORD.CONTROL});`;
  const worker = new Worker(source, { eval: true, workerData: block });
  t.after(() => worker.terminate());
  assert.equal(waitForWord(block, WORD.CONTROL, 2, 30_000), true);
});

test('a thread evaluates while anything has not run that anybody asked for', () => {
  const ran = evaluationBits('turns', EVALUATION.ALL);
  assert.equal(isEvaluating(0), false);
  assert.equal(isEvaluating(ran), false);
  for (const asker of Object.keys(ASKER) as Asker[]) {
    assert.equal(isEvaluating(evaluationBits(asker, EVALUATION.ASKED)), true, asker);
    assert.equal(isEvaluating(evaluationBits(asker, EVALUATION.ASKED) | ran), asker !== 'turns', asker);
  }
});
