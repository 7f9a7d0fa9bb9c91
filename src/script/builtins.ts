import type { ScriptType } from './script-type.js';

/** A function that both languages can offer to scripts, under whichever name. */
export interface BuiltinRow {
  readonly params: readonly ScriptType[];
  /** Absent: nothing. */
  readonly returns?: ScriptType;
  /** Arguments that may follow `params`. */
  readonly optional?: readonly ScriptType[];
  /** What it reads of the thread that runs the handler; absent: only its arguments. */
  readonly reads?: 'task' | 'time' | 'point' | 'stack' | 'process';
}

/**
 * What the runtime can do, by name: each language has its own words for them. A handler can call all of them on every thread, the
 * control thread included.
 */
export const BUILTINS = {
  pid: { params: [], returns: 'long', reads: 'task' },
  tid: { params: [], returns: 'long', reads: 'task' },
  ppid: { params: [], returns: 'long', reads: 'task' },
  cpu: { params: [], returns: 'long', reads: 'task' },
  comm: { params: [], returns: 'string', reads: 'task' },
  uid: { params: [], returns: 'long', reads: 'process' },
  gid: { params: [], returns: 'long', reads: 'process' },
  /** Nanoseconds of the trace clock, and of the wall clock since 1970. */
  nsecs: { params: [], returns: 'long', reads: 'time' },
  wallNsecs: { params: [], returns: 'long', reads: 'time' },
  /** Nanoseconds since the script began. */
  elapsed: { params: [], returns: 'long', reads: 'time' },
  /** The function that was hit; the probe as it was written, and resolved. */
  functionName: { params: [], returns: 'string', reads: 'point' },
  moduleName: { params: [], returns: 'string', reads: 'point' },
  pointName: { params: [], returns: 'string', reads: 'point' },
  resolvedPointName: { params: [], returns: 'string', reads: 'point' },
  /** The address of the function that was hit. */
  address: { params: [], returns: 'long', reads: 'point' },
  /** The text of an exception that ended the call; else "". */
  thrown: { params: [], returns: 'string', reads: 'point' },
  stack: { params: [], returns: 'string', optional: ['long'], reads: 'stack' },
  /** A `stack` of so many frames, the innermost first. */
  frames: { params: ['long'], returns: 'stack', reads: 'stack' },
  /** Ends the script when the handler is over. */
  exit: { params: [] },
  /** Ends the script, and the handler at once; no `try` catches it. */
  abort: { params: [] },
  error: { params: ['string'] },
  warn: { params: ['string'] },
  strlen: { params: ['string'], returns: 'long' },
  substr: { params: ['string', 'long', 'long'], returns: 'string' },
  /** The elements of an array, each as text, with a text between them; of anything else its text. */
  joinElements: { params: ['value', 'string'], returns: 'string' },
  /** The bytes of a buffer or a text, at most so many, as bpftrace shows them by `%r` (0), `%rx` (1) or `%rh` (2). */
  bytesText: { params: ['value', 'long', 'long'], returns: 'string' },
  /** Wall nanoseconds since 1970 by a format of strftime(3), in local time; `%f` are the microseconds. */
  strftime: { params: ['string', 'long'], returns: 'string' },
  /** The wall nanoseconds at a time of the trace clock. */
  wallOf: { params: ['long'], returns: 'long', reads: 'time' },
  /** The text of an errno, as strerror(3) has it. */
  strerror: { params: ['long'], returns: 'string' },
  /** 0 if the first so many characters are equal, else 1. */
  strncmp: { params: ['string', 'string', 'long'], returns: 'long' },
  /** 1 if the first contains the second. */
  strcontains: { params: ['string', 'string'], returns: 'long' },
  /** A random number of 32 bits. */
  rand: { params: [], returns: 'long' },
  /** The function that contains an address, or whose value it is: its name; else the address in hexadecimal. */
  symbolOf: { params: ['value'], returns: 'string', reads: 'point' },
  /** A symbol: what symbolOf gives, with how far behind the function's start it is, its length, and the package. */
  symbolText: { params: ['value'], returns: 'string', reads: 'point' },
  /** The order of the bytes of an integer reversed: its value, and how many bytes it has. */
  swapBytes: { params: ['long', 'long'], returns: 'long' },
  strtol: { params: ['string', 'long'], returns: 'long' },
  /** The pid of the program to which the script was sent: `target()`. */
  targetPid: { params: [], returns: 'long', reads: 'process' },
  /** Whether the hit is the end of a call. */
  isReturn: { params: [], returns: 'long', reads: 'point' },
  /** The name of a task by its pid; "" for none. */
  commOf: { params: ['long'], returns: 'string', reads: 'task' },
  /**
   * The first part of a text in front of one of these characters; with "" the next part of the text that was given last. Each
   * thread has its own.
   */
  tokenize: { params: ['string', 'string'], returns: 'string' },
  /** The code of the character at a place; -1 behind the end. */
  stringAt: { params: ['string', 'long'], returns: 'long' },
  /** Where a text begins in another; -1: nowhere. */
  strpos: { params: ['string', 'string'], returns: 'long' },
  strReplace: { params: ['string', 'string', 'string'], returns: 'string' },
  /** A text with `\\n`, `\\"` and `\\ooo` in the place of what cannot be printed, at most so many characters. */
  escapeText: { params: ['string', 'long'], returns: 'string' },
  /** Group n of the last `=~` of this handler that matched; 0 is all of it. */
  matched: { params: ['long'], returns: 'string' },
  /** How many groups that expression has, all of it included. */
  matchedCount: { params: [], returns: 'long' },
  /** Seconds since 1970 as `Thu Jan  1 00:00:00 1970`, in UTC. */
  ctime: { params: ['long'], returns: 'string' },
  /** The name of an errno: `ENOENT` for 2; "" for none. */
  errnoName: { params: ['long'], returns: 'string' },
  /** The name of a signal: `SIGTERM` for 15; "" for none. */
  signalName: { params: ['long'], returns: 'string' },
  /** A number below this one. */
  randint: { params: ['long'], returns: 'long' },
} as const satisfies Readonly<Record<string, BuiltinRow>>;
export type BuiltinName = keyof typeof BUILTINS;

/** Whether one of these builtins walks the stack. */
export const readsStack = (names: readonly string[]): boolean => names.includes('stack') || names.includes('frames');

/** Whether one of these builtins needs the symbols of functions. */
export const readsSymbols = (names: readonly string[]): boolean =>
  readsStack(names) || names.includes('symbolOf') || names.includes('symbolText');
