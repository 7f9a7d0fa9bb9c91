import type { WallTime } from '../../../base/wall-time.js';
import type { Long } from '../../../events/c-types.js';
import type { EventFormat } from '../../../events/define.js';
import type { CalledFunction } from './called-functions.js';

/** A sequence of nested calls: a thread of a program, a task of a kernel. */
export interface Track {
  /** The track's place among the recording's tracks. */
  readonly index: number;
  /** `node`, or `node-4711` where the process has more threads than one: what a viewer shows. */
  readonly name: string;
  /** The thread's id; if that was not recorded, its index. */
  readonly tid: number;
  /** The thread's number in a process that fentry recorded: 0 is the main thread. Else the same as `tid`. */
  readonly number: number;
  readonly process: { readonly pid: number; readonly name: string };
  /** The instance whose buffer has the records; '' for the top level. */
  readonly instance: string;
  /** Whether the contexts of its records are async contexts. */
  readonly hasContexts: boolean;
}

/**
 * A call on its track's stack, until it leaves that: the object is another call's then. A coroutine that was suspended comes back
 * as another one, with `isResumed`.
 */
export interface Call {
  readonly func: CalledFunction;
  /** The index of `func`. Who reads `func.index` waits for the memory, where thousands of functions are called in no order. */
  readonly funcIndex: number;
  readonly track: Track;
  readonly isResumed: boolean;
  /** The recorded depth: where callers were lost, some depths have no call. At one depth of a track, calls do not overlap. */
  readonly depth: number;
  /** `7, "x"`; empty if they were not recorded, or are not wanted. */
  readonly args: string;
  /** The task that it began in, the record's common_pid: a thread, or an async context (0: none). */
  readonly context: number;
  /** What the parts of a coroutine's call have in common; undefined if it does not resume, or where that was not recorded. */
  readonly activation: number | undefined;
  /** ns of the recording's clock; if the entry was lost, the first known time. Inside of its caller's time. */
  readonly start: number;
}

/** A call, and what the visitor returned for its beginning. */
export interface VisitedCall<Place> extends Call {
  readonly place: Place;
}

/** How a call left the stack; the object is another call's afterwards. Times are nanoseconds. */
export interface Leave {
  /** On the stack, since its frame's start: it ends with its caller or before. */
  readonly duration: number;
  /** `duration` without that of its callees. */
  readonly self: number;
  /** Time of callees that the visitor is not told of: absent where it is told of all. */
  readonly hidden?: number;
  /** From the call to the return, including the waits of a coroutine: what the graph prints. */
  readonly call: number;
  readonly isSuspended: boolean;
  /** What the parts of a coroutine's call have in common, see Call; undefined if it is not suspended. */
  readonly activation: number | undefined;
  /** The result; empty if it was not recorded, or is not wanted. */
  readonly value: string;
}

/** The value of an event's field: a number, a text (of an address of a function its name), or those of an array. */
export type ReadValue = Long | string | readonly (Long | string)[];

/** An event of a recording, while it is visited: it is read only when it is asked. */
export interface VisitedEvent {
  /** The thread that recorded it. */
  readonly track: Track;
  /** ns of the recording's clock. */
  readonly time: number;
  readonly format: EventFormat;
  /** The task that recorded it, its common_pid: a thread, or an async context (0: none). */
  readonly context: number;
  /** The names of its fields, without those that every event has. */
  readonly fields: readonly string[];
  /** The value of a field; undefined if it has no such field. */
  read(field: string): ReadValue | undefined;
  /** What `report` prints behind its name; may have several lines. */
  text(): string;
}

/** What is known of a recording before its first record is visited. */
export interface WalkedRecording {
  /** Whether fentry recorded it; else a kernel. */
  readonly isFentrys: boolean;
  /** The clock of its times: `mono`, `local`. */
  readonly clock: string;
  /** A moment by its clock and by the calendar; undefined if that was not recorded. */
  readonly wall: WallTime | undefined;
  /** The codes of modules that have no sites: there are no calls of them. */
  siteless(): readonly CalledFunction[];
  /** The name of a task; undefined if it was not recorded. */
  commOf(pid: number): string | undefined;
}

/** Visits the calls of a recording, those of each track in the order of time. */
export interface CallVisitor<Place> {
  /** Whether it wants arguments, results and markers, which cost time. */
  readonly wantsTexts?: boolean;
  /** True ends the walk: the reader is gone. */
  readonly isDone?: boolean;
  /** The walk begins: what is known of the whole recording. */
  open?(recording: WalkedRecording): void;
  /** A call begins, inside of `parent` if that is known. */
  begin(call: Call, parent: VisitedCall<Place> | undefined): Place;
  end(frame: VisitedCall<Place>, leave: Leave): void;
  /** A `function` event: a call whose end was not recorded. */
  hit?(func: CalledFunction, event: VisitedEvent): void;
  /** A line that was written into the trace. */
  mark?(track: Track, time: number, text: string): void;
  /** Any other event: neither a call, nor a hit, nor a mark. It is read only during the call. */
  event?(event: VisitedEvent): void;
  /** Events were lost before `time`; -1: their number is not known. */
  lost?(track: Track, time: number, count: number): void;
  /**
   * A call whose end is not known left the stack at `end` or before, or the recording ends there.
   * @param isLast whether the recording ends there
   */
  unfinished?(frame: VisitedCall<Place>, end: number, isLast: boolean): void;
}
