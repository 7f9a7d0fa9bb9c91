import { Worker } from 'node:worker_threads';
import { traceClock } from '../../ring-buffer/clock.js';
import { replaceMethod } from '../realm/lookalike.js';
import type { Undo } from '../realm/undo.js';
import { type ControlBlock, isEvaluating, runningCpus, THREAD_WORD, threadWord, WORD } from '../shared/control-block.js';

/** How long to wait for a requested evaluation, and for the answer of one that ran: milliseconds. */
const PATIENCE = { asked: 300, ran: 20 } as const;
/** Milliseconds between checks. In between, this thread receives the inspector's messages: it may have to pass them on. */
const LOOK = 1;
/** How long the control thread has to end its inspector session with the main thread, in milliseconds. */
const SESSION_PATIENCE = 300;

/** Milliseconds. */
const clock = (): number => traceClock() / 1e6;
const { load, store, wait } = Atomics;
const word = (block: ControlBlock, cpu: number, at: number): number => load(block, threadWord(cpu, at));

/** The cpus of the threads that end with a thread: those that it started, and those that they started. */
function startedBy(block: ControlBlock, tid: number, found: number[] = []): number[] {
  for (const cpu of runningCpus(block)) {
    if (word(block, cpu, THREAD_WORD.PARENT) !== tid || found.includes(cpu)) continue;
    found.push(cpu);
    startedBy(block, word(block, cpu, THREAD_WORD.TID), found);
  }
  return found;
}

/** Waits until nothing is evaluated in a thread, at most some tenths of a second. */
function settle(block: ControlBlock, cpu: number): void {
  const nothing = new Int32Array(new SharedArrayBuffer(4));
  let since = clock();
  let wasEvaluating = true;
  for (;;) {
    const evaluations = word(block, cpu, THREAD_WORD.EVALUATIONS);
    const evaluates = isEvaluating(evaluations);
    if (!evaluates && wasEvaluating) since = clock();
    wasEvaluating = evaluates;
    if (evaluations === 0 || clock() - since > PATIENCE[evaluates ? 'asked' : 'ran']) return;
    wait(nothing, 0, 0, LOOK);
  }
}

/** Tells that threads are about to end: no evaluation begins in them any more. Returns when none is under way. */
function aboutToEnd(block: ControlBlock, cpus: readonly number[]): void {
  for (const cpu of cpus) store(block, threadWord(cpu, THREAD_WORD.ENDING), 1);
  for (const cpu of cpus) settle(block, cpu);
}

/** The thread on a cpu ends by itself, and with it those that it started. */
export function endsItself(block: ControlBlock, cpu: number): void {
  aboutToEnd(block, [...startedBy(block, word(block, cpu, THREAD_WORD.TID)), cpu]);
}

/** The main thread has said that it ends. Returns when the control thread has no inspector session with it any more. */
export function awaitSessionEnd(block: ControlBlock): void {
  const end = clock() + SESSION_PATIENCE;
  while (load(block, WORD.IN_SESSION) !== 0) {
    const left = end - clock();
    if (left <= 0) return;
    wait(block, WORD.IN_SESSION, 1, left);
  }
}

/** Makes `terminate()` say first which threads are about to end. Returns a function that ends this. */
export function followTerminate(block: ControlBlock): Undo {
  const { apply } = Reflect;
  return replaceMethod(
    Worker.prototype,
    'terminate',
    (terminate) =>
      ({
        terminate(this: Worker): Promise<number> {
          try {
            terminated(block, this.threadId);
          } catch {
            // The stack is full, or this is not a worker: terminate() says so.
          }
          return apply(terminate, this, []) as Promise<number>;
        },
      }).terminate,
  );
}

function terminated(block: ControlBlock, worker: number): void {
  if (!(worker > 0)) return;
  for (const cpu of runningCpus(block)) {
    if (word(block, cpu, THREAD_WORD.WORKER) !== worker) continue;
    aboutToEnd(block, [cpu, ...startedBy(block, word(block, cpu, THREAD_WORD.TID))]);
  }
}
