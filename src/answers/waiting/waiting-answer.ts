import type { AnswerValue } from '../answer.js';
import type { Frame, Place } from '../place.js';

/** Which async calls of a process are suspended, and which waits for which. */
export interface WaitingAnswer extends AnswerValue {
  readonly answer: 'waiting';
  readonly version: 1;
  /** The main thread first, then workers by their numbers. */
  readonly threads: readonly WaitingThread[];
}

/** The suspended calls of one thread. */
export interface WaitingThread {
  /** Node's number of the thread; 0 is the main thread. */
  readonly thread: number;
  /** The name that the program has given a worker; '' for none. */
  readonly name: string;
  /** Present if the thread was not asked, or did not answer: why, in words that follow "it". All other numbers are 0 then. */
  readonly silence?: string;
  /** How long the thread stood still for the answer, in milliseconds. */
  readonly stoppedMs: number;
  /** For how long its async contexts are followed, in milliseconds: older waits have no `waited`. Absent: they are not. */
  readonly followedMs?: number;
  /** The size of its heap, in bytes. */
  readonly heapBytes: number;
  /** How many calls are suspended, each counted once. */
  readonly suspended: number;
  /**
   * The calls as trees: each innermost await, and behind it those that wait for it, before the next innermost one. Equal ones
   * that wait for equal ones are one element.
   */
  readonly calls: readonly WaitingCall[];
  /** Present if `calls` does not have all: there are too many different ones. */
  readonly isCut?: true;
}

/** Equal suspended calls; or equal callbacks that were given to `then`, `catch` or `finally` of the promise of such calls. */
export interface WaitingCall extends Frame {
  readonly kind: 'call' | 'callback';
  /** How many there are. A call that waits for several others is in several elements. */
  readonly count: number;
  /** The index in `calls` of what it waits for. Absent: it is innermost, and waits for a promise that is no suspended call's. */
  readonly waitsFor?: number;
  /** The place of the `await`; `place` is that of the function. Absent: V8 does not tell. */
  readonly awaits?: Place;
  /** Present if `awaits` is known of one of them only, and the others may wait at another place of the function. */
  readonly isOneOf?: true;
  /** The line of the source at `awaits`, without its indentation. Absent: the file cannot be read. */
  readonly source?: string;
  /** For how long they wait in this `await`. Absent: of none it is known. */
  readonly waited?: Waited;
  /** How many more calls of the same function and place each waits for in a row: it calls itself. Absent: none. */
  readonly repeated?: number;
  /** Present if what waits for it waits, by others, for itself: none of them can go on. */
  readonly isCircle?: true;
  /** Variables of one of them: parameters, then locals. Absent: they were not asked for, or not read. */
  readonly variables?: readonly WaitingVariable[];
}

/** For how long equal calls wait. */
export interface Waited {
  /** How many of them it is known of: they began to wait since async contexts are followed. */
  readonly count: number;
  /** The youngest and the oldest wait of these, in milliseconds. */
  readonly leastMs: number;
  readonly mostMs: number;
}

/** A variable of a suspended call. */
export interface WaitingVariable {
  readonly name: string;
  /** The value as text, cut at some length. */
  readonly value: string;
}

/** What of the suspended calls is wanted. */
export interface WaitingRequest {
  /** Whether the variables of the first calls are read: the heap is walked once for each. */
  readonly locals: boolean;
  /** Whether a thread may be stopped however large its heap is. */
  readonly force: boolean;
}
