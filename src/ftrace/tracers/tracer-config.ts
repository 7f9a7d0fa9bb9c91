import type { TracerName } from './tracers.js';

/**
 * How a thread traces: everything the trampolines need to know, in a form that can be sent to the thread. Times in nanoseconds.
 */
export interface TracerConfig {
  readonly tracer: TracerName;
  /** The bit of TracerContext.ignored that says that the running task is not traced; 0: all tasks are traced. */
  readonly ignoredBit: number;
  /** The function tracer looks up the caller of each function, not only the traced function that is running. */
  readonly parents: boolean;
  /** func_stack_trace: a stack trace follows each function record. */
  readonly stacks: boolean;
  /** func-no-repeats: calls that repeat the one before are only counted. */
  readonly noRepeats: boolean;
  /** stacktrace: a stack trace follows each event that is not a tracer's. */
  readonly eventStacks: boolean;
  /** func-args, funcgraph-args: render arguments into the entry records. */
  readonly args: boolean;
  /** funcgraph-retval: render results into the exit records. */
  readonly retval: boolean;
  /** sleep-time: the time in which a coroutine waited counts as its own. */
  readonly sleepTime: boolean;
  /** graph-time: the time of nested functions counts too (for the profiler only, as in the kernel). */
  readonly graphTime: boolean;
  /** tracing_thresh: record no entries, and exits only of functions that took at least this long; 0: off. */
  readonly threshold: number;
  /** max_graph_depth; 0: no limit. */
  readonly maxDepth: number;
  /** display-graph: latency tracers record calls as function_graph does. */
  readonly displayGraph: boolean;
  /** The thread's maximum of the latency tracers, which the control side reads and writes too, and where its traces are kept. */
  readonly latency?: { readonly measurement: number; readonly max: SharedArrayBuffer; readonly trace: SharedArrayBuffer };
  /** set_graph_function as bits by function number, 32 a word; absent: every function. */
  readonly graphFunctions?: Uint32Array;
  /** set_graph_notrace in the same form; absent: none. */
  readonly graphNotrace?: Uint32Array;
}

/** The tracer that does nothing, with every option at its default. */
export const NOP_CONFIG: TracerConfig = {
  tracer: 'nop',
  ignoredBit: 0,
  parents: false,
  stacks: false,
  noRepeats: false,
  eventStacks: false,
  args: false,
  retval: false,
  sleepTime: true,
  graphTime: true,
  threshold: 0,
  maxDepth: 0,
  displayGraph: false,
};
