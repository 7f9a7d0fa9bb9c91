/**
 * The control block: one SharedArrayBuffer of 32-bit words that every thread of the process has. It says which threads exist,
 * and lets a program thread wait for the control thread without returning to its event loop.
 */

import { ENDING_SIGNALS } from '../../base/ending-signals.js';
import {
  AtomicsAdd,
  AtomicsCompareExchange,
  AtomicsExchange,
  AtomicsLoad,
  AtomicsNotify,
  AtomicsStore,
} from '../../base/primordials.js';
import { MAX_THREADS } from '../../port/limits.js';
import { traceClock } from '../../ring-buffer/clock.js';

/** Words of the process. */
export const WORD = {
  /** CONTROL_STATE of the control thread. */
  CONTROL: 0,
  /** 1 while functions must be patched before they first run: links then wait for the control thread. */
  LINK_WAITS: 1,
  /** Threads that found no free cpu. */
  UNTRACED_THREADS: 2,
  /** Two words: the trace clock `counter`. */
  COUNTER: 4,
  /** 1 while something is asked of events that are declared later: who declares one waits for the control thread. */
  DECLARED_WAITS: 6,
  /** Bits of MARKS_OFF: which of the program's own marks are not recorded. */
  MARKS_OFF: 7,
  /** The sysctls of the same names. */
  DUMP_ON_OOPS: 8,
  TRACEOFF_ON_WARNING: 9,
  /** Dumps that threads asked for, and dumps that were written. */
  DUMPS_ASKED: 10,
  DUMPS_DONE: 11,
  /** 1: a thread applies all its patches in one turn (option patch-at-once). */
  PATCH_AT_ONCE: 3,
  /** The control thread's id at the operating system; 0 before it runs. */
  CONTROL_TID: 12,
  /** Bits of FORBIDDEN: what a permission model forbids, which does not reach into the control thread. */
  FORBIDDEN: 13,
  /** How many threads the process had before the control thread was started; 0 if unknown. */
  THREADS_BEFORE: 14,
  /** 1 once something waits for the control thread, or may soon. */
  CONTROL_NEEDED: 15,
  /** The sysctl of the same name. */
  TRACEPOINT_PRINTK: 16,
  /** 1 while the control thread has an inspector session with the main thread. */
  IN_SESSION: 17,
  /** 1 while the control thread has clients. */
  HAS_CLIENTS: 18,
  /** 1 once the program ends: the control thread must not take clients any more. */
  PROGRAM_ENDS: 19,
  /** One word for each of ENDING_SIGNALS: how many of them the listeners of a recorded program were called for. */
  HEARD_SIGNALS: 20,
} as const;

/** Bits of WORD.FORBIDDEN. With INSPECTOR, Node aborts the process if the control thread connects to it anyway. */
export const FORBIDDEN = { INSPECTOR: 1, MEMORY: 2 } as const;

const HEADER_WORDS = 24;
const THREAD_WORDS = 16;

/** Words of one thread, from `threadWord(cpu, ...)`. */
export const THREAD_WORD = {
  /** THREAD_STATE. */
  STATE: 0,
  /** The thread's id at the operating system, which is the pid of its records. */
  TID: 1,
  /** Links that the thread has announced. */
  LINKS_SENT: 2,
  /** The links whose patches the control thread has sent. */
  LINKS_DONE: 3,
  /** 1 once the control thread listens to the thread's channel: earlier messages would be lost. */
  CONNECTED: 4,
  /** The id of the thread that started it. */
  PARENT: 5,
  /** 1 once the thread listens to its channel: what the control thread sends before is lost. */
  LISTENING: 6,
  /** Node's own number of a worker; 0 in the main thread. */
  WORKER: 7,
  /** What the thread evaluates for the control thread, through the inspector: of each ASKER its bits (EVALUATION). */
  EVALUATIONS: 8,
  /** 1 once the thread is about to end: nothing may be evaluated in it any more. */
  ENDING: 9,
  /** When the thread last loaded a text, or started: `millisecondsNow`. */
  LOADED_AT: 10,
  /** Events that the thread has declared and waits for, and those of them for which the control thread has sent what is asked. */
  DECLARED_SENT: 11,
  DECLARED_DONE: 12,
  /** Records that the thread has sent to be printed, and those of them whose lines were sent back. */
  PRINTS_SENT: 13,
  PRINTS_DONE: 14,
} as const;

/** The word that counts a signal, by its number. */
export const heardSignalWord = (signal: number): number => WORD.HEARD_SIGNALS + ENDING_SIGNALS.indexOf(signal);

/** Who has threads evaluate something: each evaluates at most one thing in a thread at a time, and waits for no other. */
export const ASKER = { interrupter: 0, turns: 1, answers: 2, allocations: 3 } as const;
export type Asker = keyof typeof ASKER;
/** Bits of an asker in EVALUATIONS. None: nothing is evaluated. RAN, with ASKED: the answer is on its way. */
export const EVALUATION = { ASKED: 1, RAN: 2, ALL: 3 } as const;

/** Bits of EVALUATION, where an asker has them. */
export const evaluationBits = (asker: Asker, bits: number): number => bits << (2 * ASKER[asker]);
/** ASKED of every asker. */
const ASKED_OF_ALL = 0b01_01_01_01;

/** Whether EVALUATIONS has something that has not run to its end. */
export const isEvaluating = (evaluations: number): boolean => (evaluations & ~(evaluations >> 1) & ASKED_OF_ALL) !== 0;

/** The control thread from its start to its end; from LISTENING on its socket exists, if its folder is safe. */
export const CONTROL_STATE = { NONE: 0, STARTING: 1, BINDING: 2, LISTENING: 3, ENDED: 4 } as const;
/** STATE of a thread's words: the cpu was never used, its thread runs, its last thread has ended. */
export const THREAD_STATE = { FREE: 0, RUNNING: 1, ENDED: 2 } as const;

/** Index of a thread's word in the control block. */
export const threadWord = (cpu: number, word: number): number => HEADER_WORDS + cpu * THREAD_WORDS + word;

/** Has a control thread that waits with its start go on. */
export const needControl = (block: ControlBlock): void => {
  if (AtomicsExchange(block, WORD.CONTROL_NEEDED, 1) === 0) AtomicsNotify(block, WORD.CONTROL_NEEDED);
};

/** The trace clock `counter` in the block. */
export const clockCounter = (block: SharedArrayBuffer): BigInt64Array => new BigInt64Array(block, WORD.COUNTER * 4, 1);

/** The words that all threads of the process share. */
export type ControlBlock = Int32Array;

/** A block with all words 0: no control thread, every cpu free. */
export function createControlBlock(): ControlBlock {
  return new Int32Array(new SharedArrayBuffer((HEADER_WORDS + MAX_THREADS * THREAD_WORDS) * 4));
}

/** The cpus whose threads run. The lowest free cpu is taken, so after one that was never used there are no others. */
export function runningCpus(block: ControlBlock): readonly number[] {
  const running: number[] = [];
  for (let cpu = 0; cpu < MAX_THREADS; cpu++) {
    const state = AtomicsLoad(block, threadWord(cpu, THREAD_WORD.STATE));
    if (state === THREAD_STATE.FREE) break;
    if (state === THREAD_STATE.RUNNING) running.push(cpu);
  }
  return running;
}

/** A time that is the same in all threads: milliseconds that fit in a word. */
export const millisecondsNow = (): number => Math.trunc(traceClock() / 1e6) | 0;

/** Milliseconds since such a time, which is less than 24 days ago. */
export const millisecondsSince = (moment: number): number => (millisecondsNow() - moment) | 0;

/**
 * Takes a cpu for the calling thread: the lowest that no living thread has, as a cpu that is plugged in again gets its
 * old number. Undefined when all are taken.
 * @param parent id of the thread that started it
 * @param worker Node's number of it
 */
export function takeCpu(block: ControlBlock, tid: number, parent = 0, worker = 0): number | undefined {
  for (let cpu = 0; cpu < MAX_THREADS; cpu++) {
    const at = threadWord(cpu, THREAD_WORD.STATE);
    const state = AtomicsLoad(block, at);
    if (state === THREAD_STATE.RUNNING) continue;
    if (AtomicsCompareExchange(block, at, state, THREAD_STATE.RUNNING) !== state) continue;
    for (const word of [
      THREAD_WORD.LINKS_SENT,
      THREAD_WORD.LINKS_DONE,
      THREAD_WORD.DECLARED_SENT,
      THREAD_WORD.DECLARED_DONE,
      THREAD_WORD.PRINTS_SENT,
      THREAD_WORD.PRINTS_DONE,
      THREAD_WORD.CONNECTED,
      THREAD_WORD.LISTENING,
      THREAD_WORD.EVALUATIONS,
      THREAD_WORD.ENDING,
    ]) {
      AtomicsStore(block, threadWord(cpu, word), 0);
    }
    AtomicsStore(block, threadWord(cpu, THREAD_WORD.LOADED_AT), millisecondsNow());
    AtomicsStore(block, threadWord(cpu, THREAD_WORD.PARENT), parent);
    AtomicsStore(block, threadWord(cpu, THREAD_WORD.WORKER), worker);
    AtomicsStore(block, threadWord(cpu, THREAD_WORD.TID), tid);
    return cpu;
  }
  AtomicsAdd(block, WORD.UNTRACED_THREADS, 1);
  return undefined;
}

/** Says that the thread on `cpu` has ended. Its buffer stays; the next new thread may take the cpu. */
export function releaseCpu(block: ControlBlock, cpu: number): void {
  AtomicsStore(block, threadWord(cpu, THREAD_WORD.TID), 0);
  AtomicsStore(block, threadWord(cpu, THREAD_WORD.CONNECTED), 0);
  AtomicsStore(block, threadWord(cpu, THREAD_WORD.STATE), THREAD_STATE.ENDED);
}

/** The cpu of a worker, by Node's number of it, also right after its end; of one that has none yet, the lowest that is free. */
export function cpuOfWorker(block: ControlBlock, worker: number): number {
  let free = MAX_THREADS;
  for (let cpu = 0; cpu < MAX_THREADS; cpu++) {
    const state = AtomicsLoad(block, threadWord(cpu, THREAD_WORD.STATE));
    const isIts = cpu > 0 && AtomicsLoad(block, threadWord(cpu, THREAD_WORD.WORKER)) === worker;
    if (state !== THREAD_STATE.FREE && isIts) return cpu;
    if (state !== THREAD_STATE.RUNNING && free === MAX_THREADS) free = cpu;
    if (state === THREAD_STATE.FREE) break;
  }
  return free;
}

// Saved before the program can replace them.
const { load, wait } = Atomics;
/** Milliseconds; not by a clock that the program may let stand still, because this wait would never end. */
const clock = (): number => traceClock() / 1e6;

/** Waits until word `at` is at least `value`; returns false if that takes longer than `milliseconds`. */
export function waitForWord(block: ControlBlock, at: number, value: number, milliseconds: number): boolean {
  const end = clock() + milliseconds;
  for (;;) {
    const now = load(block, at);
    if (now >= value) return true;
    const left = end - clock();
    if (left <= 0) return false;
    wait(block, at, now, left);
  }
}
