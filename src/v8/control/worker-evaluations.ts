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
 * @param isBehind whether the thread on a cpu has commands to obey
 * @param takesUnknown whether workers without an agent may be asked
 * @param taken which gates have taken the worker on a cpu; gates of one process share it
 */
export function createWorkerGate(
  block: ControlBlock,
  isBehind: (cpu: number) => boolean,
  takesUnknown: boolean,
  taken = new Map<number, Set<object>>(),
): WorkerGate {
  const word = (cpu: number, at: number): number => Atomics.load(block, threadWord(cpu, at));
  const evaluation = (cpu: number, value: number): void =>
    void Atomics.store(block, threadWord(cpu, THREAD_WORD.EVALUATION), value);
  const takers = (cpu: number): Set<object> => {
    const known = taken.get(cpu) ?? new Set();
    taken.set(cpu, known);
    return known;
  };
  /** The key of this gate, among those that have taken a worker. */
  const self = {};
  const release = (cpu: number): void => {
    const all = takers(cpu);
    if (all.delete(self) && all.size === 0) evaluation(cpu, EVALUATION.NONE);
  };

  const cpuOf = (worker: number): number | undefined =>
    runningCpus(block).find((cpu) => word(cpu, THREAD_WORD.WORKER) === worker);
  const isLoading = (cpu: number): boolean => millisecondsSince(word(cpu, THREAD_WORD.LOADED_AT)) < LOADED;

  return {
    take(worker) {
      const cpu = cpuOf(worker);
      if (cpu === undefined) return takesUnknown;
      if (isLoading(cpu) || !isBehind(cpu)) return false;
      takers(cpu).add(self);
      evaluation(cpu, EVALUATION.ASKED);
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
