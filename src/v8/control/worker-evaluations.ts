import {
  type Asker,
  type ControlBlock,
  EVALUATION,
  evaluationBits,
  millisecondsSince,
  runningCpus,
  THREAD_WORD,
  threadWord,
} from '../shared/control-block.js';

/** A worker that has loaded nothing for so many milliseconds is no longer loading its main module: it runs it. */
const LOADED = 300;

/** Which workers may be asked to evaluate something now. Workers have Node's own numbers. */
export interface WorkerGate {
  /** Reserves a worker for one evaluation; returns false if it must not be asked. */
  take(worker: number): boolean;
  /** Gives a worker back: its answer is there, or it is gone. */
  giveBack(worker: number): void;
  /** Whether to look for workers that this one has started. */
  hasWorkers(worker: number): boolean;
}

/**
 * Keeps evaluations away from workers that end. V8 ends a worker's JavaScript by an exception that nothing catches, but an
 * inspector's evaluation does: the worker then runs on in an environment that Node takes for ended, and Node aborts. So the
 * thread that ends a worker announces it first (`ENDING`), and waits for an evaluation that has begun (`worker-end.ts`). A
 * worker that still loads its modules, in which Node aborts most easily, is not interrupted: it obeys when its event loop
 * turns.
 *
 * @param asker who asks through this gate
 * @param isBehind whether the thread on a cpu has commands to obey
 * @param takesUnknown whether workers without an agent may be asked
 */
export function createWorkerGate(
  block: ControlBlock,
  asker: Asker,
  isBehind: (cpu: number) => boolean,
  takesUnknown: boolean,
): WorkerGate {
  const word = (cpu: number, at: number): number => Atomics.load(block, threadWord(cpu, at));
  const release = (cpu: number): void =>
    void Atomics.and(block, threadWord(cpu, THREAD_WORD.EVALUATIONS), ~evaluationBits(asker, EVALUATION.ALL));

  const cpuOf = (worker: number): number | undefined =>
    runningCpus(block).find((cpu) => word(cpu, THREAD_WORD.WORKER) === worker);
  const isLoading = (cpu: number): boolean => millisecondsSince(word(cpu, THREAD_WORD.LOADED_AT)) < LOADED;

  return {
    take(worker) {
      const cpu = cpuOf(worker);
      if (cpu === undefined) return takesUnknown;
      if (isLoading(cpu) || !isBehind(cpu)) return false;
      release(cpu);
      Atomics.or(block, threadWord(cpu, THREAD_WORD.EVALUATIONS), evaluationBits(asker, EVALUATION.ASKED));
      // Set before the check, because the ending thread checks after its announcement: one of the two sees the other.
      if (word(cpu, THREAD_WORD.ENDING) === 0) return true;
      release(cpu);
      return false;
    },
    giveBack(worker) {
      const cpu = cpuOf(worker);
      if (cpu !== undefined) release(cpu);
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
