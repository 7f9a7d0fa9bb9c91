import type { Fgraph } from '../../ftrace/fgraph.js';
import type { RecordWriter } from '../../ftrace/tracers/record-writer.js';
import type { TracerConfig } from '../../ftrace/tracers/tracer-config.js';
import type { FindCaller, StackDepth, WalkStack } from '../call-stack.js';
import type { Catches } from './catches.js';
import type { SiteCalls } from './cells.js';

/** Nobody says what has ended a frame. */
export const NOT_CAUGHT = Symbol('not caught');

/** What has ended them is what an async function's promise is rejected with next. */
export const REJECTS = Symbol('rejects');

/** Where the records of one instance go on a thread, and how they are written. */
export interface TraceOutput {
  writer: RecordWriter;
  config: TracerConfig;
}

/** What trampolines ask while BUSY is not 0 (next-call.ts). */
export interface HeldCall {
  /** Whether the call is traced; then `obey` follows. */
  mayTrace(): boolean;
  /** The call is traced. */
  obey(): void;
  /** Both, for a trampoline that calls this instead of going on; returns the token of its call. */
  enter(n: number, trampoline: (n: number) => number): number;
}

/** Writes a record of the calling thread's stack into the buffer of an instance. */
export type StackTrace = (output: TraceOutput) => void;

/**
 * What the trampolines of one thread share. Its fields are plain data fields of one object that lives as long as the thread: V8
 * treats a field that was written only once as a constant, and reloads other fields.
 */
export interface ThreadTrace extends TraceOutput {
  readonly clock: () => number;
  readonly fgraph: Fgraph;
  /** The thread's id at the operating system. */
  readonly tid: number;
  /** Walks the thread's stack. */
  readonly walkStack: WalkStack;
  /** Creates the function that measures the stack; undefined if the system does not show the stack pointer. */
  readonly createStackDepth: () => StackDepth | undefined;
  /** Prints all buffers, or only this thread's; returns when that is done. */
  readonly dump: (ownCpuOnly: boolean) => void;
  /** Records the stack, for func_stack_trace and other options that want it after an event. */
  stackTrace: StackTrace;
  /** The outputs of instances other than the top level, whose output is this object itself; by instance. */
  readonly outputs: Map<number, TraceOutput>;
  /** The words of EventWords, once an event is switched. */
  eventWords: Int32Array;
  /** The task that runs: the thread itself, or an async context. */
  pid: number;
  /** Bits of the instances that do not trace it. */
  ignored: number;
  /** Each function's address (text-region.ts), by function number. */
  addresses: Uint32Array<ArrayBuffer>;
  /** The address in the caller of the function that is being entered, or 0: with config.parents. */
  parent: number;
  /** Finds it; made when it is first needed. */
  findCaller: FindCaller | undefined;
  /** Counts changes of ops, so that a coroutine that was suspended during a change checks which ops still want it. */
  epoch: number;
  /** Epoch in which each ops that keeps its id came into use. */
  readonly since: Int32Array;
  /** Set once. */
  nextCall: HeldCall | undefined;
  /** What has ended the frames that end now, if a `catch` or the end of the process says so; else NOT_CAUGHT or REJECTS. */
  caught: unknown;
  /** What `catch` takes. Set once. */
  catches: Catches | undefined;
  /** How frames end, for calls whose sites do not say so themselves. Set once. */
  calls: SiteCalls | undefined;
  /** Called when the first frame of a job is pushed. */
  readonly outermost: () => void;
}
