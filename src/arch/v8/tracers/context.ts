import type { Fgraph } from '../../../ftrace/fgraph.js';
import type { RecordWriter } from '../../../tracers/record-writer.js';
import type { TracerConfig } from '../../../tracers/tracer-config.js';
import type { FindCaller, StackDepth, WalkStack } from '../call-stack.js';
import type { Trampoline } from './cells.js';

/** Where the records of one instance go on a thread, and how they are made. */
export interface TraceOutput {
  writer: RecordWriter;
  config: TracerConfig;
}

/** Writes a record of the calling thread's stack into the buffer of an instance. */
export type StackTrace = (output: TraceOutput) => void;

/**
 * What the trampolines of one thread share. Its fields are plain data fields of one object that lives as long as the
 * thread: V8 takes a field that was never written twice as a constant, and reloads it where it was.
 */
export interface TracerContext extends TraceOutput {
  readonly clock: () => number;
  readonly fgraph: Fgraph;
  /** The thread's id at the operating system. */
  readonly tid: number;
  /** Walks the thread's stack. */
  readonly walkStack: WalkStack;
  /** Makes what measures it; undefined where the system does not tell. */
  readonly createStackDepth: () => StackDepth | undefined;
  /** Has the buffers printed, or this thread's only; returns when they are. */
  readonly dump: (ownCpuOnly: boolean) => void;
  /** Records the stack, for func_stack_trace and whoever else wants it behind an event. */
  stackTrace: StackTrace;
  /** The outputs of instances other than the top level, whose output is this object itself; by instance. */
  readonly outputs: Map<number, TraceOutput>;
  /** The task that runs: the thread itself, or an async context. */
  pid: number;
  /** Bits of the instances that do not trace it. */
  ignored: number;
  /** Low 32 bits of each function's address, by function number. */
  addresses: Uint32Array<ArrayBuffer>;
  /** With config.parents: low 32 bits of the address from where the function that is being entered was called, or 0. */
  parent: number;
  /** Finds it; made when it is first needed. */
  findCaller: FindCaller | undefined;
  /** Counts changes of ops, so that a coroutine that slept meanwhile knows to look who is still interested. */
  epoch: number;
  /** Epoch in which each ops id came into use. */
  readonly since: Int32Array;
  /** While BUSY is not 0: whether the trampoline traces this call of function `n`. */
  mayTrace: (n: number, trampoline: Trampoline) => boolean;
  /** Called when the first frame of a job is pushed. */
  readonly outermost: () => void;
}
