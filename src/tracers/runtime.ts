import type { FtraceFunctionOps } from '../ftrace/ftrace-function-ops.js';
import type { Patches } from '../ftrace/plan.js';
import type { RecordWriter } from './record-writer.js';
import type { ServiceKind } from './services.js';

/** What a patch cell holds while its function is traced: called with the function's number, its `this`, its parameters. */
export type Trampoline = (n: number, self?: unknown, ...args: unknown[]) => unknown;

/**
 * The calls that sites make besides the entry, by the letter of their service cell; arch/v8 says where each stands in
 * the text. A site calls them only with a token that an entry gave, or u with a mark that d gave, so they are never made
 * NOPs again while one of those may be about; d is 0 while nothing is traced.
 */
export interface SiteServices {
  /** A synchronous activation returns. */
  readonly x: (token: number, value?: unknown) => void;
  /** A coroutine's activation returns. */
  readonly y: (activation: unknown, value?: unknown) => void;
  /** A coroutine is about to wait. */
  readonly z: (activation: unknown) => void;
  /** A coroutine goes on after an await, at the bottom of the stack. */
  readonly w: (activation: unknown) => void;
  /** A generator goes on inside its caller of next(), return() or throw(). */
  readonly v: (activation: unknown) => void;
  /**
   * A coroutine has ended: where it has not returned, by an exception that became a rejection, or because it was closed.
   * `nested`: a generator's, inside its caller of return() or throw().
   */
  readonly k: (activation: unknown, nested?: unknown) => void;
  /** The mark to come back to in a catch; never 0. */
  readonly d: () => number;
  /** Everything above that mark is gone. */
  readonly u: (mark: number) => void;
}

/** The port's patch cells of one thread. */
export interface Cells {
  /** Makes the site of function `n` call `trampoline`. False: the thread has no such site. */
  arm(n: number, trampoline: Trampoline): boolean;
  /** Makes it a NOP again. */
  disarm(n: number): boolean;
  /** Puts a service into the cells of every prefix, also of those that come later; 0 makes it a NOP. */
  setService(letter: keyof SiteServices, value: SiteServices[keyof SiteServices] | 0): void;
}

/** In the order of available_tracers. */
export const TRACERS = ['hwlat', 'function_graph', 'wakeup_dl', 'wakeup_rt', 'wakeup', 'irqsoff', 'function', 'nop'] as const;
/** The name of a tracer. */
export type TracerName = (typeof TRACERS)[number];
/** Those that may run in an instance other than the top level (`allow_instances` of struct tracer). */
export const INSTANCE_TRACERS: ReadonlySet<TracerName> = new Set(['function', 'nop'] as const);

/** How a thread traces: everything the trampolines need to know, in a form that can be sent to the thread. Times in nanoseconds. */
export interface TracerConfig {
  readonly tracer: TracerName;
  /** The bit that says in TracerContext.ignored that the task that runs is not traced; 0: all are. */
  readonly ignoredBit: number;
  /** The function tracer finds out from where each function was called, not only which traced function runs. */
  readonly parents: boolean;
  /** func_stack_trace: a stack trace follows each function record. */
  readonly stacks: boolean;
  /** func-no-repeats: calls that repeat the one before are only counted. */
  readonly noRepeats: boolean;
  /** stacktrace: a stack trace follows each event that is no tracer's. */
  readonly eventStacks: boolean;
  /** func-args, funcgraph-args: render arguments into the entry records. */
  readonly args: boolean;
  /** funcgraph-retval: render results into the exit records. */
  readonly retval: boolean;
  /** sleep-time: the time a coroutine waited counts as its own. */
  readonly sleepTime: boolean;
  /** graph-time: the time of nested functions counts too (for the profiler only, as in the kernel). */
  readonly graphTime: boolean;
  /** tracing_thresh: record no entries, and exits only of functions that took at least this long; 0: off. */
  readonly threshold: number;
  /** max_graph_depth; 0: no limit. */
  readonly maxDepth: number;
  /** display-graph: latency tracers record calls as function_graph does. */
  readonly displayGraph: boolean;
  /** What the latency tracers of all threads share since they started, and where this one keeps the trace of a maximum. */
  readonly latency?: { readonly session: number; readonly max: SharedArrayBuffer; readonly trace: SharedArrayBuffer };
  /** set_graph_function as bits by function number, 32 a word; absent: every function. */
  readonly graphFunctions?: Uint32Array;
  /** set_graph_notrace in the same form; absent: none. */
  readonly graphNotrace?: Uint32Array;
}

/** The symbol side tables of a text, for the thread: what it must know of functions firstFunction, firstFunction + 1, ... */
export interface LinkedFunctions {
  readonly firstFunction: number;
  /** Low 32 bits of each function's address. */
  readonly addresses: Uint32Array;
  /** Index into FUNCTION_KINDS of each function. */
  readonly kinds: Uint8Array;
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

/** The thread side of tracing, driven by the agent of that thread. */
export interface TracerRuntime {
  /** Where an instance's records go from now on; 0 is the top level. */
  setWriter(writer: RecordWriter, instance?: number): void;
  /** Chooses the top level's tracer and its options. Cells follow by applyPatches. */
  setTracer(config: TracerConfig): void;
  /** The same for another instance, whose tracer is called by the sites with bit `ops`: nop or function. */
  setInstanceTracer(instance: number, ops: number, config: TracerConfig): void;
  /** Forgets an instance, which no site calls any more. */
  removeInstance(instance: number): void;
  /** Another task runs from now on; `ignored` has the bits of the instances that do not trace it. Undefined: the thread itself. */
  switchTask(pid: number | undefined, ignored: number): void;
  /** Configures a service, or ends it with undefined; its sites follow by applyPatches. */
  setService(kind: ServiceKind, config: unknown): void;
  /** An event that is no tracer's was recorded by this thread: with option stacktrace its stack follows. */
  eventRecorded(): void;
  link(functions: LinkedFunctions): void;
  applyPatches(patches: Patches): void;
  /** Gives a subscriber an ops id; its sites follow by applyPatches. */
  addSubscriber(id: number, ops: FtraceFunctionOps): void;
  /** The subscriber is called no more, whatever its sites still do until applyPatches. */
  removeSubscriber(id: number): void;
  /** What runs now is fentry's own work: the latency tracers do not measure it. */
  discardLatency(): void;
  /** Calls that were nested too deep for the shadow stack. */
  readonly overrun: number;
}
