import type { AnswerValue } from '../answer.js';
import type { Frame } from '../place.js';

/** What keeps a process alive. */
export interface HandlesAnswer extends AnswerValue {
  readonly answer: 'handles';
  readonly version: 1;
  /** The main thread first, then workers by their numbers. */
  readonly threads: readonly HandlesThread[];
}

/** The handles of one thread. */
export interface HandlesThread {
  /** Node's number of the thread; 0 is the main thread. */
  readonly thread: number;
  /** The name that the program has given a worker; '' for none. */
  readonly name: string;
  /** Present if the thread did not answer: why, in words that follow "it". */
  readonly silence?: string;
  /** Why timers are not listed. Absent: they are. */
  readonly noTimers?: string;
  /**
   * Why jobs of crypto and zlib, workers, and unref'd handles besides timers are not listed. Absent: they are, or `noTimers` is
   * there.
   */
  readonly noUnrefed?: string;
  /** How long the thread stood still for the answer, in milliseconds. */
  readonly stoppedMs: number;
  /** Whether the thread runs with FENTRY=handles, so that handles have their origins. */
  readonly hasOrigins: boolean;
  /** What keeps the thread alive first, then what does not. */
  readonly handles: readonly Handle[];
}

/** A timer, a handle of the event loop, or a request that is under way. */
export interface Handle {
  /**
   * `timeout`, `interval`, `immediate`, `server`, `socket`, `pipe`, `terminal`, `udp socket`, `child process`, `file watcher`,
   * `worker`, `message port`, `request`, or what Node calls another one.
   */
  readonly kind: string;
  /** Whether it keeps the thread alive; an unref'd one does not. */
  readonly keeps: boolean;
  /** What else is known of it, in words: `every 5000 ms, due in 120 ms`, `on 127.0.0.1:8080, 3 connections`. */
  readonly what: string;
  /** The function that it calls. Absent: it calls none of the program's, or it is not known. */
  readonly calls?: HandleFunction;
  /** Who made it, and when. Absent: it is not known. */
  readonly made?: HandleOrigin;
}

/** A function that a handle calls. */
export interface HandleFunction extends Frame {
  /** The function that made this one, by its name. Absent: none, or none with a name. */
  readonly inside?: string;
  /** The line of the source at its place, without its indentation. Absent: the file cannot be read. */
  readonly source?: string;
  /** The variables of the function that made it, as far as it uses them. */
  readonly variables: readonly HandleVariable[];
}

/** A variable that a function uses. */
export interface HandleVariable {
  readonly name: string;
  /** The value as text, cut at some length. */
  readonly value: string;
}

/** Where and when a handle was made. */
export interface HandleOrigin {
  /** Milliseconds since then. */
  readonly ageMs: number;
  /** The stack, the innermost call first. */
  readonly stack: readonly Frame[];
}

/** What of the handles is wanted. */
export interface HandlesRequest {
  /** Whether a thread may be stopped however large its heap is. */
  readonly force: boolean;
}
