import type { Activation } from './activation.js';
import { ExitLists } from './exit-lists.js';

/** Frames that the shadow stack holds; a call nested deeper is counted as overrun and not traced. */
export const MAX_FRAMES = 65536;

/**
 * Capacity of the arrays: a power of two above MAX_FRAMES, so that an index masked by FRAME_MASK needs no bounds check.
 * Pages that are never touched take no memory.
 */
export const FRAME_CAPACITY = 131072;
/** A token is `period << 17 | depth`: what is left of a token is the depth, 1 for the outermost frame. */
export const FRAME_MASK = FRAME_CAPACITY - 1;
const PERIOD_SHIFT = 17;
const PERIOD_MASK = 0x1fff;

/** Words of `Fgraph.state`. */
export const TOP = 0;
/** Not 0 while a trampoline has to do more than to trace its call: bits CALLBACK and INTERRUPTED. */
export const BUSY = 1;
/** Bit of BUSY: a subscriber's callback runs, and nothing that it calls is traced. */
export const CALLBACK = 1;
/** Bit of BUSY: the thread was interrupted where it must not obey; it obeys once it has traced the next call. */
export const INTERRUPTED = 2;
/** Bit of BUSY: native text has seen frames end, those from depth UNWOUND_TO (from 0) on, and has recorded their exits. */
export const UNWOUND = 4;
/** Depth (1-based) of the frame that set_graph_function matched, 0 outside of it. */
export const IN_GRAPH = 2;
/** Depth (1-based) of the frame that set_graph_notrace matched, 0 outside of it. */
export const IN_NOTRACE = 3;
/** The number of calls that were nested too deep. */
export const OVERRUN = 4;
/** 1 while a marker waits in the microtask queue for the job's end. */
export const MARKED = 5;

/** 1 after the stack overflowed inside a trampoline: a reserved event may never be committed. */
export const TORN = 6;

/** 1 while function_graph has a filter, limit or threshold to check. */
export const LIMITED = 7;

/**
 * What the traced native text of the same process and the thread's JavaScript tell each other (native/code/javascript.ts). Two
 * words each: the time of the last record that JavaScript has written, and that native text has, in nanoseconds.
 */
export const STAMP = 8;
export const NATIVE_STAMP = 10;
/** The open native calls that function_graph follows, and bits of NATIVE_MARK: 0 if there is no traced native text. */
export const NATIVE = 12;
export const UNWOUND_TO = 13;
/** 1 while the thread runs fentry's own JavaScript at a site: no native call is followed. */
export const QUIET = 14;
export const NATIVE_DEPTH_MASK = 0xffff;
/** Bits of NATIVE: inside a call that set_graph_function, or set_graph_notrace, has matched. */
export const NATIVE_MARK = { IN_GRAPH: 0x20000, IN_NOTRACE: 0x40000 } as const;

/** A frame's interest in its end, instead of all others: its exit is one plain funcgraph_exit record. */
export const WANTS_FAST = -0x80000000;
/** The bit of the top level's tracer in a frame's interest. */
export const WANTS_TRACER = 1;

/** What the tracers must do when a frame leaves the stack other than by its own exit. */
export type FrameEnded = (depth: number, now: number) => void;

/**
 * The shadow stack of one thread (kernel/trace/fgraph.c): the traced functions that are on the JavaScript stack now.
 *
 * A frame is pushed at a function's entry and popped at its exit. An exception pops no frame; the frames that it removed are
 * noticed later: by an exit, a catch, or the end of the job, which all know how deep the stack must be. So a dead frame never
 * outlives the next of these events further out.
 *
 * A *period* lasts while anything on the thread is traced. A token of an earlier period belongs to a function that has run
 * since before this period: all frames of this period that are on the stack at its exit are dead.
 */
export class Fgraph {
  // Typed arrays and not objects: numbers stay unboxed, a push is three stores, and the collector never looks at them.
  /**
   * Longer than necessary: V8 keeps the content of a typed array of up to 64 bytes where it may move, so compiled code must
   * look it up.
   */
  readonly state = new Int32Array(32);
  /** Function number of each frame. */
  readonly functions = new Int32Array(FRAME_CAPACITY);
  /** When it began, in nanoseconds; for a coroutine that resumed without sleep-time, later by the time it slept. */
  readonly calltimes = new Float64Array(FRAME_CAPACITY);
  /** The ops that want to know of its end: bits of the ops that keep their ids and the number of an exit list, or FAST. */
  readonly wants = new Int32Array(FRAME_CAPACITY);
  readonly exitLists = new ExitLists();
  /** The coroutine's activation of each frame that has one; kept short, frames of plain functions leave holes. */
  readonly activations: (Activation | undefined)[] = [];

  readonly #ended: FrameEnded;
  readonly #clock: () => number;

  constructor(clock: () => number, ended: FrameEnded) {
    this.#clock = clock;
    this.#ended = ended;
  }

  get period(): number {
    return this.state[TOP]! >>> PERIOD_SHIFT;
  }

  get depth(): number {
    return this.state[TOP]! & FRAME_MASK;
  }

  /** Begins a period with an empty stack. From now on, earlier tokens belong to an earlier period. */
  startPeriod(): void {
    this.#drop(0);
    this.state[TOP] = ((this.period + 1) & PERIOD_MASK) << PERIOD_SHIFT;
  }

  /**
   * Prepares the exit of a frame that is not on top: an exception ended the frames above it.
   * @returns false if `token` is of an earlier period or its frame is gone; then there is nothing to exit
   */
  settle(token: number): boolean {
    if (token >>> PERIOD_SHIFT !== this.period) {
      this.unwindTo(0);
      return false;
    }
    const depth = token & FRAME_MASK;
    if (depth > this.depth) return false;
    this.unwindTo(depth);
    return true;
  }

  /** The value for a try site: where a catch has to come back to. Never 0. */
  mark(): number {
    return this.state[TOP]! + 1;
  }

  /** A catch or finally runs whose try was entered at `mark`: all frames above are gone. */
  unwind(mark: number): void {
    if (mark - 1 === this.state[TOP]) return;
    if ((mark - 1) >>> PERIOD_SHIFT !== this.period) this.unwindTo(0);
    else this.unwindTo((mark - 1) & FRAME_MASK);
  }

  /** Ends the frames above `depth` as exceptions do: innermost first, all at the same time. */
  unwindTo(depth: number): void {
    const { state, wants, activations } = this;
    let top = this.depth;
    if (top <= depth) return;
    const now = this.#clock();
    while (top > depth) {
      top--;
      state[TOP]!--;
      if (wants[top] !== 0) this.#ended(top, now);
      if (activations[top] !== undefined) {
        activations[top]!.depth = 0;
        activations[top] = undefined;
      }
    }
    this.leaveMarks(depth);
    if ((state[BUSY]! & UNWOUND) !== 0 && depth <= state[UNWOUND_TO]!) state[BUSY]! &= ~UNWOUND;
  }

  /** Drops the frames that native text has seen end. */
  dropUnwound(): void {
    const { state } = this;
    if ((state[BUSY]! & UNWOUND) === 0) return;
    this.unwindTo(state[UNWOUND_TO]!);
    state[BUSY]! &= ~UNWOUND;
  }

  /** Whether native text has recorded the exit of the frame at a depth (from 0), which has ended. */
  isRecorded(depth: number): boolean {
    return (this.state[BUSY]! & UNWOUND) !== 0 && depth >= this.state[UNWOUND_TO]!;
  }

  /** Forgets set_graph_function and set_graph_notrace when their frame is gone. */
  leaveMarks(depth: number): void {
    const { state } = this;
    if (state[IN_GRAPH]! > depth) state[IN_GRAPH] = 0;
    if (state[IN_NOTRACE]! > depth) state[IN_NOTRACE] = 0;
  }

  /** Removes the ops with these bits from the frames on the stack: they are not told of exits any more. */
  forget(bits: number): void {
    for (let d = this.depth - 1; d >= 0; d--) this.wants[d]! &= ~bits;
  }

  /** Removes exit lists that no call may ask for again, except those of frames. */
  tidyExitLists(): void {
    this.exitLists.tidy(this.wants.subarray(0, this.depth));
  }

  /** Empties the stack above `depth` without calling anything. */
  #drop(depth: number): void {
    for (let d = this.depth - 1; d >= depth; d--) {
      const activation = this.activations[d];
      if (activation !== undefined) activation.depth = 0;
      this.activations[d] = undefined;
    }
    this.state[TOP] = (this.period << PERIOD_SHIFT) | depth;
    this.state[BUSY]! &= ~UNWOUND;
    this.leaveMarks(depth);
  }
}
