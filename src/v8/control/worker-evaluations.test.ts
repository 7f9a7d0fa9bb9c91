import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createControlBlock,
  EVALUATION,
  evaluationBits,
  millisecondsNow,
  releaseCpu,
  THREAD_WORD,
  takeCpu,
  threadWord,
} from '../shared/control-block.js';
import { createWorkerGate } from './worker-evaluations.js';

const MAIN = { tid: 100, worker: 0 };
const WORKER = { tid: 101, worker: 1 };

/** A main thread and its worker, which is behind with what it was told and has loaded all its modules. */
function process(takesUnknown = false) {
  const block = createControlBlock();
  takeCpu(block, MAIN.tid, 0, MAIN.worker);
  const cpu = takeCpu(block, WORKER.tid, MAIN.tid, WORKER.worker)!;
  const behind = new Set([cpu]);
  const gate = createWorkerGate(block, 'interrupter', (one) => behind.has(one), takesUnknown);
  const set = (word: number, value: number): void => void (block[threadWord(cpu, word)] = value);
  const evaluation = (): number => block[threadWord(cpu, THREAD_WORD.EVALUATIONS)]!;
  /** Has the worker have loaded its last text so many milliseconds ago. */
  const loadedFor = (milliseconds: number): void => set(THREAD_WORD.LOADED_AT, millisecondsNow() - milliseconds);
  loadedFor(1000);
  return { block, cpu, behind, gate, set, loadedFor, evaluation };
}

test('a worker that is behind evaluates, and is free again when its answer is there', () => {
  const { gate, evaluation } = process();
  assert.equal(gate.take(WORKER.worker), true);
  assert.equal(evaluation(), EVALUATION.ASKED);
  gate.giveBack(WORKER.worker);
  assert.equal(evaluation(), 0);
});

test('no evaluation begins in a worker that is about to end', () => {
  const { gate, set, evaluation } = process();
  set(THREAD_WORD.ENDING, 1);
  assert.equal(gate.take(WORKER.worker), false);
  assert.equal(evaluation(), 0, 'nothing waits for one either');
});

test('no evaluation begins in a worker that has just loaded a module', () => {
  const { gate, loadedFor, evaluation } = process();
  // In the future: it is not over on a machine that does not let this thread run, either.
  loadedFor(-60_000);
  assert.equal(gate.take(WORKER.worker), false);
  assert.equal(evaluation(), 0);
  loadedFor(300);
  assert.equal(gate.take(WORKER.worker), true);
});

test('a worker that has just started is loading', () => {
  const { block, gate, behind } = process();
  const cpu = takeCpu(block, 102, MAIN.tid, 2)!;
  behind.add(cpu);
  block[threadWord(cpu, THREAD_WORD.LOADED_AT)]! += 60_000;
  assert.equal(gate.take(2), false);
});

test('a worker that has obeyed is left alone, and so is one without an agent', () => {
  const { gate, behind } = process();
  behind.clear();
  assert.equal(gate.take(WORKER.worker), false);
  assert.equal(gate.take(7), false);
});

test('where fentry came late, workers without an agent are asked', () => {
  const { gate } = process(true);
  assert.equal(gate.take(7), true);
  assert.equal(gate.hasWorkers(7), true);
});

test('the number of a worker that has ended belongs to no thread', () => {
  const { block, cpu, gate } = process();
  releaseCpu(block, cpu);
  assert.equal(gate.take(WORKER.worker), false);
});

test("a worker's own workers are looked for when it has any, and is not about to end", () => {
  const { block, gate, set } = process();
  assert.equal(gate.hasWorkers(WORKER.worker), false);
  takeCpu(block, 102, WORKER.tid, 2);
  assert.equal(gate.hasWorkers(WORKER.worker), true);
  set(THREAD_WORD.ENDING, 1);
  assert.equal(gate.hasWorkers(WORKER.worker), false);
});

test('each asker gives back what is its own', () => {
  const { block, gate, evaluation } = process();
  const turns = createWorkerGate(block, 'turns', () => true, false);
  assert.equal(gate.take(WORKER.worker) && turns.take(WORKER.worker), true);
  gate.giveBack(WORKER.worker);
  gate.giveBack(WORKER.worker);
  assert.equal(evaluation(), evaluationBits('turns', EVALUATION.ASKED));
  assert.equal(gate.take(WORKER.worker), true);
  turns.giveBack(WORKER.worker);
  assert.equal(evaluation(), EVALUATION.ASKED);
  gate.giveBack(WORKER.worker);
  assert.equal(evaluation(), 0);
});

test('what an asker has asked before is not taken for what it asks now', () => {
  const { gate, set, evaluation } = process();
  gate.take(WORKER.worker);
  set(THREAD_WORD.EVALUATIONS, EVALUATION.ASKED | EVALUATION.RAN);
  gate.take(WORKER.worker);
  assert.equal(evaluation(), EVALUATION.ASKED);
});
