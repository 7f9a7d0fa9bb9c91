import type { Frame, Place } from '../place.js';

/** Two recordings compared by function: what `fentry diff --json` prints. Times are nanoseconds. */
export interface DiffAnswer {
  readonly answer: 'diff';
  /** Goes up when a field is removed, or means something else. */
  readonly version: 1;
  /** The folder that the second program was started in; '' if it was not recorded. Places are shown relative to it. */
  readonly application: string;
  readonly before: DiffedRecording;
  readonly after: DiffedRecording;
  /**
   * How many times as long as before the functions take together, in the middle: the machine's doing, which no function is blamed
   * for. 1 where too few functions can be compared.
   */
  readonly drift: number;
  /** By which part of their time functions differ between these recordings by themselves: 0.1 for a tenth. */
  readonly noise: number;
  /** The functions of both; those whose total time changed most are first. */
  readonly functions: readonly FunctionChange[];
}

/** A recording that is compared. */
export interface DiffedRecording {
  readonly file: string;
  readonly application: string;
  /** On all stacks together. */
  readonly time: number;
}

/** The calls of a function in one recording. */
export interface FunctionSums {
  /** Calls that returned; of the tracer `function`, all. */
  readonly calls: number;
  /** From call to return, with the waiting of an async function; of recursive calls, the outermost. */
  readonly total: number;
  /** On the stack, without the functions that it called. */
  readonly self: number;
  /** From call to return: of half of its calls at most, of 90 % and of 99 %. 0: no call has a time. */
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
}

/** `few`: too few calls to say. */
export type Verdict = 'slower' | 'faster' | 'same' | 'few' | 'new' | 'gone';

/** Why a function's calls take another time: by its own code, by what it waits for, by how often it calls another one. */
export type Cause = 'own' | 'waiting' | 'calls' | 'callees';

/** How long something takes, compared with before. */
export interface TimeChange {
  /** How many times as long as before it takes, in the middle, without `drift`. */
  readonly ratio: number;
  /** The chance that equal functions differ as much, corrected for the number of functions. */
  readonly p: number;
}

/** A function in both recordings, or in one. */
export interface FunctionChange extends Frame {
  /** Where it was, if it was elsewhere. */
  readonly was?: Place;
  /** Absent: it was not called. */
  readonly before?: FunctionSums;
  readonly after?: FunctionSums;
  /** The change of the total time. */
  readonly change: number;
  readonly verdict: Verdict;
  /** Present if it is slower or faster. */
  readonly cause?: Cause;
  /** A call, to its return. Absent: that cannot be compared. */
  readonly call?: TimeChange;
  /** The function's own code in a call. */
  readonly own?: TimeChange;
  /** The function that it calls more often or less often, if that is the cause: calls of it in a call. */
  readonly callee?: { readonly name: string; readonly before: number; readonly after: number };
}
