import type { AnswerValue } from '../answer.js';
import type { Frame, Place } from '../place.js';

/** What functions can be sorted by: the greatest first. `self`: by time without that of the profiled functions inside. */
export type TopOrder = 'calls' | 'time' | 'self';

/** What a process called in some time, as the function profiler counts it. */
export interface TopAnswer extends AnswerValue {
  readonly answer: 'top';
  readonly version: 1;
  /** What the process runs: `src/server.ts`. */
  readonly program: string;
  /** The time that it is of. */
  readonly seconds: number;
  /** CPU time of the process in it, in seconds. Absent: it cannot be seen. */
  readonly cpu?: number;
  readonly order: TopOrder;
  /** The JavaScript threads, by the numbers of their buffers. */
  readonly threads: readonly { readonly cpu: number; readonly calls: number }[];
  /** Functions that were called or took time, in the order. */
  readonly functions: readonly TopFunction[];
  /** What must be known to understand the functions. */
  readonly notes: readonly string[];
}

/** What was counted of the functions of a name, of which the profiler shows 30 characters. */
export interface TopFunction extends Frame {
  readonly calls: number;
  /** Nanoseconds. */
  readonly time: number;
  /** The places of all functions of the name. Absent: there is one, or none is known. */
  readonly places?: readonly Place[];
}
