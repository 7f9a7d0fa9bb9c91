import type { Activation } from '../../ftrace/activation.js';
import type { AroundTrampolines, EntryFunction } from './entry.js';
import type { ThreadTrace } from './thread-trace.js';

/**
 * Called at the end of a frame for the ops that want it: `want` has their bits.
 * @param isCoroutine it is a coroutine's, at its own site: its promise is resolved or rejected next
 */
export type FrameExited = (
  want: number,
  depth: number,
  n: number,
  value: unknown,
  unwound: boolean,
  isCoroutine?: boolean,
) => void;

/** Called for coroutines: the depth at which one leaves the stack, or came back. */
export type CoroutineMoved = (want: number, depth: number, activation: Activation, now: number) => void;

/** The listeners for frames that some ops want to know of, besides the tracers. */
export interface FrameListeners {
  readonly exited: FrameExited;
  readonly suspended: CoroutineMoved;
  readonly resumed: CoroutineMoved;
}

/**
 * What calls sites on every thread and is neither a tracer nor a program's subscriber: the function profiler, the stack tracer,
 * the probes of set_ftrace_filter. One for each thread and kind.
 */
export interface TraceService {
  /** Called for the functions that its ops filters. Runs on the hot path: it must not run the program's code. */
  readonly entry: EntryFunction;
  /** The frame at `depth` ended, if `entry` returned the service's bit. */
  exited?(depth: number, n: number, value: unknown, unwound: boolean, isCoroutine?: boolean): void;
  /** What a site calls for a sync function, in place of a trampoline around `entry`; it pushes the frame itself. */
  readonly enter?: (n: number) => number;
  /** Absent: its trampolines and those of lists are as they are. */
  readonly around?: AroundTrampolines;
  /** The coroutine at `depth` is about to leave the stack at `now`, if its bit is wanted; and came back onto it. */
  suspended?(depth: number, activation: Activation, now: number): void;
  resumed?(depth: number, activation: Activation, now: number): void;
  /** Begins, or changes the configuration; undefined when it ends. */
  configure(config: unknown): void;
}

/** Creates the service of a thread. `bit` is what its entry returns to get the frame's end. */
export type CreateService = (ctx: ThreadTrace, bit: number) => TraceService;
