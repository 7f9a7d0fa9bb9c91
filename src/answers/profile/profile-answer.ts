import type { Frame } from '../place.js';

/** Where the time of a recording went, by functions: what `fentry report --profile --json` prints. */
export interface ProfileAnswer {
  readonly answer: 'profile';
  /** Goes up when a field is removed, or means something else. */
  readonly version: 1;
  /** The folder that the program was started in; '' if it was not recorded. Places are shown relative to it. */
  readonly application: string;
  /** Nanoseconds on all stacks together: what `running` and `self` are parts of. */
  readonly time: number;
  /** In the order that was asked for. */
  readonly functions: readonly FunctionTimes[];
}

/** The calls of a function. Times are nanoseconds. */
export interface FunctionTimes extends Frame {
  /** Calls that returned; of the tracer `function`, all. */
  readonly calls: number;
  /** From call to return, with the waiting of an async function; of recursive calls, the outermost. */
  readonly total: number;
  /** From call to return, without waiting. */
  readonly running: number;
  /** On the stack, without the functions that it called. */
  readonly self: number;
  /** From call to return: of all calls, of half of them at most, and of 99 % of them at most. 0: no call has a time. */
  readonly average: number;
  readonly p50: number;
  readonly p99: number;
}
