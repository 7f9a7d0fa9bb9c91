import type { AnswerValue } from '../answer.js';
import type { BtVariable } from '../bt/bt-answer.js';
import type { Frame } from '../place.js';

/** The turns of the event loop that took too long. */
export interface SlowAnswer extends AnswerValue {
  readonly answer: 'slow';
  readonly version: 1;
  /** Turns longer than this are kept, in milliseconds; 0: nothing is watched. */
  readonly thresholdMs: number;
  /** When the watch began: a date as JSON has it. Absent: nothing is watched. */
  readonly since?: string;
  /** The oldest first. */
  readonly turns: readonly SlowTurn[];
  /** Older ones that are not kept any more. */
  readonly forgotten: number;
}

/** One turn of a thread's event loop: what ran from the end of one wait for events to the next. */
export interface SlowTurn {
  /** Counts the turns of the watch, from 1. */
  readonly number: number;
  /** When it began: a date as JSON has it. */
  readonly at: string;
  readonly ms: number;
  /** When it began by the clock of recordings (`local`), in nanoseconds. */
  readonly clock: number;
  /** The most by which `ms` and `at` can be wrong, in milliseconds: the period of the thread's heartbeat. */
  readonly inexactMs: number;
  readonly thread: TurnThread;
  /** The time that the thread had a core, in milliseconds, of the part that was looked at. Absent: the system does not say. */
  readonly cpuMs?: number;
  /** The time that it waited for a core while others had all of them, in the same part. */
  readonly queuedMs?: number;
  /** How often its stack was looked at, and the time from the first look to the last, in milliseconds: shares are parts of it. */
  readonly samples: number;
  readonly sampledMs: number;
  /** The callbacks that ran in it, as far as they were seen, in their order: the first began it. */
  readonly callbacks: readonly TurnCallback[];
  /** The functions that were on top of the stack, but for what they had called of others' code. The largest first. */
  readonly functions: readonly TurnFunction[];
  /** Synchronous I/O: the largest first. */
  readonly synchronous: readonly TurnOperation[];
  /** What the thread waited for in a system call, as the system says. */
  readonly waits: readonly { readonly doing: string; readonly ms: number }[];
  /** Garbage collections from the first look on. Absent: it is not known. */
  readonly collections?: { readonly count: number; readonly ms: number };
  /** Decoding messages of other threads and processes, before the program had them, in milliseconds. */
  readonly decodingMs: number;
  /** Resuming async functions: V8's own work between them, in milliseconds. */
  readonly resumingMs: number;
  /** The recording that has what was before it and in it. Absent: none was asked for (`fentry slow --record`). */
  readonly recording?: string;
  /** Native code of which nothing could be seen, because no function of JavaScript ran after it in the callback: milliseconds. */
  readonly unseenMs: number;
}

/** The thread of a turn. */
export interface TurnThread {
  /** Node's number of it; 0 is the main thread. */
  readonly thread: number;
  /** The name that the program has given a worker; '' for none, or if it is not known. */
  readonly name: string;
  readonly tid: number;
}

/** What the event loop can call. */
export type CallbackKind =
  | 'timer'
  | 'immediate'
  | 'request'
  | 'connection'
  | 'socket'
  | 'message'
  | 'process message'
  | 'child process'
  | 'file'
  | 'dns'
  | 'worker pool'
  | 'signal'
  | 'nextTick'
  | 'promise'
  | 'start'
  | 'callback';

/** A callback of the event loop. */
export interface TurnCallback {
  readonly kind: CallbackKind;
  /** The outermost function of the application in it. Absent: it was in none. */
  readonly frame?: Frame;
  /** The part of the sampled time that it took, from 0 to 1. */
  readonly share: number;
}

/** A function in a turn. */
export interface TurnFunction {
  /** The function, with the place where it begins. */
  readonly frame: Frame;
  /** The part of the sampled time in which it ran, or what it had called that is not the application's: from 0 to 1. */
  readonly share: number;
  /** The part in which it was on the stack. */
  readonly totalShare: number;
  /** The line that it was at most often. */
  readonly line: number;
  /** What it had called then, most often: `JSON.stringify`, `gzipSync [node]`. Absent: nothing of others. */
  readonly called?: Frame;
  /** What a call of it was given, as text, while the turn lasted. Absent: it has no parameters, or they were not read. */
  readonly arguments?: readonly BtVariable[];
  /**
   * Present if what it called had ended already when the thread could answer: it is native code that was called before that line
   * was left.
   */
  readonly calledBefore?: true;
  /**
   * Present if what it called had ended already, and is known by its text: no other call can have ended last before the function
   * that the thread was about to enter.
   */
  readonly isByText?: true;
}

/** A synchronous operation. */
export interface TurnOperation {
  /** `readFileSync` */
  readonly name: string;
  readonly ms: number;
  /** The application's function that called it. */
  readonly by?: Frame;
}
