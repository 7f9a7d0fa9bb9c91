import {
  type ControlBlock,
  EVALUATION,
  millisecondsSince,
  runningCpus,
  THREAD_WORD,
  threadWord,
} from '../shared/control-block.js';

/** A worker that has loaded nothing for so many milliseconds is no longer loading its main module: it runs it. */
const LOADED = 300;

/** Which workers may be had to evaluate something now. Workers are named by Node's own number of them. */
export interface WorkerGate {
  /** Takes a worker for one evaluation; false when it may not be had. */
  take(worker: number): boolean;
  /** Its answer is there, or it is gone. */
  giveBack(worker: number): void;
  /** Whether workers that this one has started are to be looked for. */
  hasWorkers(worker: number): boolean;
}

/**
 * Keeps evaluations away from workers that end. V8 ends a worker's JavaScript by an exception that nothing catches, but an
 * inspector's evaluation does: the worker then runs on in an environment that Node takes for ended, and Node aborts. So whoever
 * ends a worker says so first (`ENDING`), and waits for the evaluation that has begun (`worker-end.ts`). A worker that still loads
 * its modules, in which Node aborts most easily, is left alone altogether: it obeys when its event loop turns.
 *
 * @param isBehind whether the thread on a cpu has commands to obey
 * @param takesUnknown whether workers may be had that have no agent
 */
export function createWorkerGate(block: ControlBlock, isBehind: (cpu: number) => boolean, takesUnknown: boolean): WorkerGate {
  const word = (cpu: number, at: number): number => Atomics.load(block, threadWord(cpu, at));
  const evaluation = (cpu: number, value: number): void =>
    void Atomics.store(block, threadWord(cpu, THREAD_WORD.EVALUATION), value);

  const cpuOf = (worker: number): number | undefined =>
    runningCpus(block).find((cpu) => word(cpu, THREAD_WORD.WORKER) === worker);
  const isLoading = (cpu: number): boolean => millisecondsSince(word(cpu, THREAD_WORD.LOADED_AT)) < LOADED;

  return {
    take(worker) {
      const cpu = cpuOf(worker);
      if (cpu === undefined) return takesUnknown;
      if (isLoading(cpu) || !isBehind(cpu)) return false;
      evaluation(cpu, EVALUATION.ASKED);
      // Asked before it is looked at, as whoever ends it looks after it has said so: one of the two sees the other.
      if (word(cpu, THREAD_WORD.ENDING) === 0) return true;
      evaluation(cpu, EVALUATION.NONE);
      return false;
    },
    giveBack(worker) {
      const cpu = cpuOf(worker);
      if (cpu !== undefined) evaluation(cpu, EVALUATION.NONE);
    },
    hasWorkers(worker) {
      const cpu = cpuOf(worker);
      if (cpu === undefined || takesUnknown) return takesUnknown;
      if (word(cpu, THREAD_WORD.ENDING) !== 0) return false;
      const tid = word(cpu, THREAD_WORD.TID);
      return runningCpus(block).some((other) => word(other, THREAD_WORD.PARENT) === tid);
    },
  };
}
