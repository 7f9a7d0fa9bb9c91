/**
 * The bytes of a recording for the page: MAGIC, then blocks. A block is its kind (a byte), the length of its payload (32 bits,
 * little-endian) and the payload. Definitions come before what refers to them, so that a reader can show what has come so far.
 * Numbers are varints (7 bits a byte, the lowest first), at most 2 ** 53; those that may be negative are zigzagged.
 */
export const MAGIC = 'fentry columns 2\n';

/** The kinds of blocks. Payloads that are text are JSON, but `texts`. */
export const BLOCKS = {
  /** A `ColumnsStart`. The first block. */
  start: 1,
  /** Functions, tracks, kinds of events, slices and counters (`Definitions`), numbered in the order in which they come. */
  definitions: 2,
  /**
   * Calls of a track in the order of their ends. The track, the time that the first delta is from; for each call: flags,
   * function, depth, its end as delta, its duration, then what the flags say.
   */
  calls: 3,
  /** Texts, numbered from 0: for each its length in bytes, and UTF-8. */
  texts: 4,
  /** Events of a track: the track, a time; for each event its kind, time as zigzagged delta, context, text. */
  instants: 5,
  /** Slices: for each its kind, track, start, duration, context, title, and its request's number plus one; 0: of none. */
  slices: 6,
  /** Values of counters: for each the counter, the time, and 8 bytes of a double. */
  counters: 7,
  /** Lines that were written into the trace: for each the track, the time, the text. */
  marks: 8,
  /** Losses of events: for each the track, the time before which they were lost, and their number plus one; 0: not known. */
  losses: 9,
  /** A `ColumnsEnd`. The last block: without it the recording is not whole. */
  end: 10,
} as const;

/** What is true of a call, and which numbers follow its duration, in this order. */
export const CALL_FLAGS = {
  /** A coroutine goes on. What its parts have in common follows, plus one, behind all the rest; 0: it is not known. */
  resumed: 1,
  /** A coroutine waits from here on: the call is not over. Its number follows, too. */
  suspended: 2,
  /** The end was not recorded. */
  unfinished: 4,
  /** The time of its callees follows, as duration less self time; without it that is 0. */
  inside: 8,
  /** The time from call to return follows, which is another than the duration. */
  call: 16,
  /** The text of its arguments follows, then that of its result. */
  arguments: 32,
  result: 64,
  /** The call runs inside of another call of the same function: only that one counts in the function's total time. */
  inner: 128,
} as const;

/** The flags of a part of a coroutine's call. */
export const PART_OF_CALL = CALL_FLAGS.resumed | CALL_FLAGS.suspended;

/** The kinds of slices that the page asks for: HTTP requests to the program, and stretches in which an async context runs. */
export const REQUESTS = 'requests';
export const CONTEXTS = 'contexts';

/** What is known of a recording before it is read. */
export interface ColumnsStart {
  /** The name of the recording's file. */
  readonly name: string;
  /** The name of the recording that it is compared with: the one before. */
  readonly before?: string;
}

/** A function of a recording. */
export interface TimelineFunction {
  /** `app.handle [express]` */
  readonly name: string;
  /** The package; '' for none. */
  readonly package: string;
  /** An absolute path, or what the program calls the text; '' if it is not known. */
  readonly file: string;
  /** From 1; 0 if it is not known. */
  readonly line: number;
  /** From 1; 0 if it is not known. */
  readonly column: number;
  /** `src/cart.ts:12`, `express/lib/router.js:12`: the place as a person sees it, short; '' if it is not known. */
  readonly where: string;
  readonly isOwn: boolean;
}

/** A thread of a program, or a task of a kernel. */
export interface TimelineTrack {
  readonly name: string;
  readonly tid: number;
  readonly pid: number;
  readonly process: string;
}

/** A kind of events: `http`, `server_request_start`. */
export interface InstantKind {
  readonly system: string;
  readonly name: string;
}

/** A kind of what has a beginning and an end, and is no call: requests, questions to DNS, collections. */
export interface SliceKind {
  /** `request`: what a person calls it. */
  readonly name: string;
}

/** A value that changes in the course of time. */
export interface CounterKind {
  readonly name: string;
  readonly unit: string;
  /** The process that it is of. */
  readonly pid: number;
}

/** What a block defines. */
export interface Definitions {
  readonly functions?: readonly TimelineFunction[];
  readonly tracks?: readonly TimelineTrack[];
  readonly instants?: readonly InstantKind[];
  readonly slices?: readonly SliceKind[];
  readonly counters?: readonly CounterKind[];
}

/** What is known when all was read. */
export interface ColumnsEnd {
  /** The folder that the program was started in; '' if it was not recorded. */
  readonly application: string;
  /** For the user: damage, losses. */
  readonly warnings: readonly string[];
  /** Calls whose times were not recorded: function and number. */
  readonly hits: readonly (readonly [index: number, count: number])[];
}
