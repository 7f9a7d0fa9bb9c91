/** A script that the thread had compiled before fentry was attached. */
export interface LoadedScript {
  /** V8's number for it in this thread. */
  readonly scriptId: string;
  /** URL or path. */
  readonly url: string;
  /** SHA-256 of its source in UTF-8, hexadecimal. */
  readonly hash: string;
  readonly isModule: boolean;
}

/** A place in a script as the debugger counts: from 0. */
export interface ScriptPlace {
  readonly line: number;
  readonly column: number;
}

/** A range between two places; `end` is not part of it. */
export interface ScriptSpan {
  readonly start: ScriptPlace;
  readonly end: ScriptPlace;
}

/** Where to look for a function's breakpoints. */
export interface BreakpointFunction {
  /** A place inside the function and no other, just before its body's first statement. */
  readonly start: ScriptPlace;
  readonly end: ScriptPlace;
  /** Functions inside it: a breakpoint there would be theirs. */
  readonly inner: readonly ScriptSpan[];
  /** The arguments of its entry after its number, as source text. */
  readonly passes: string;
  readonly isCoroutine: boolean;
}

/** What a thread must know about a text to put breakpoints into it. */
export interface BreakpointText {
  readonly firstFunction: number;
  /** The address (text-region.ts) of its first unit. */
  readonly base: number;
  /** The name that stacks have for it. */
  readonly file: string;
  readonly scriptIds: readonly string[];
  /** Undefined: a function without a place for a breakpoint. */
  readonly functions: readonly (BreakpointFunction | undefined)[];
}
