import type { CalledFunction } from './called-functions.js';

/** A sequence of nested calls: a thread of a program, a task of a kernel. */
export interface Track {
  /** The track's place among the recording's tracks. */
  readonly index: number;
  /** `node`, or `node-4711` where the process has more threads than one: what a viewer shows. */
  readonly name: string;
  /** The thread's id; if that was not recorded, its index. */
  readonly tid: number;
  readonly process: { readonly pid: number; readonly name: string };
}

/** A call on its track's stack. A coroutine that was suspended comes back as another one, with `isResumed`. */
export interface Call {
  readonly func: CalledFunction;
  readonly track: Track;
  readonly isResumed: boolean;
  /** The recorded depth: where callers were lost, some depths have no call. At one depth of a track, calls do not overlap. */
  readonly depth: number;
  /** `7, "x"`; empty if they were not recorded, or are not wanted. */
  readonly args: string;
  /** ns of the recording's clock; if the entry was lost, the first known time. Inside of its caller's time. */
  readonly start: number;
  /** Until it leaves the stack. */
  readonly isOpen: boolean;
}

/** A call, and what the visitor returned for its beginning. */
export interface VisitedCall<Place> extends Call {
  readonly place: Place;
}

/** How a call left the stack. Times are nanoseconds. */
export interface Leave {
  /** On the stack, since its frame's start: it ends with its caller or before. */
  readonly duration: number;
  /** `duration` without that of its callees. */
  readonly self: number;
  /** From the call to the return, including the waits of a coroutine: what the graph prints. */
  readonly call: number;
  readonly isSuspended: boolean;
  /** The result; empty if it was not recorded, or is not wanted. */
  readonly value: string;
}

/** Visits the calls of a recording, those of each track in the order of time. */
export interface CallVisitor<Place> {
  /** Whether it wants arguments, results and markers, which cost time. */
  readonly wantsTexts?: boolean;
  /** True ends the walk: the reader is gone. */
  readonly isDone?: boolean;
  /** A call begins, inside of `parent` if that is known. */
  begin(call: Call, parent: VisitedCall<Place> | undefined): Place;
  end(frame: VisitedCall<Place>, leave: Leave): void;
  /** A `function` event: a call whose end was not recorded. */
  hit?(func: CalledFunction): void;
  /** A line that was written into the trace. */
  mark?(track: Track, time: number, text: string): void;
  /** Events were lost before `time`; -1: their number is not known. */
  lost?(track: Track, time: number, count: number): void;
  /**
   * A call whose end is not known left the stack at `end` or before, or the recording ends there.
   * @param isLast whether the recording ends there
   */
  unfinished?(frame: VisitedCall<Place>, end: number, isLast: boolean): void;
}
