/** The content of a patch cell while its function is traced: called with the function's number, its `this`, its parameters. */
export type Trampoline = (n: number, self?: unknown, ...args: unknown[]) => unknown;

/**
 * The calls that sites make besides the entry, by the letter of their call cell; the instrumenter decides where each is in
 * the text. A site calls them only with a token from an entry, or u with a mark from d, so they are never made NOPs again while
 * a token or mark may exist; d is 0 while nothing is traced.
 */
export interface SiteCalls {
  /** A synchronous activation returns. */
  readonly x: (token: number, value?: unknown) => void;
  /** A coroutine's activation returns. */
  readonly y: (activation: unknown, value?: unknown) => void;
  /** A coroutine is about to wait. `isUnseen`: not now, but in places that have no site. */
  readonly z: (activation: unknown, isUnseen?: unknown) => void;
  /** A coroutine resumes after an await, at the bottom of the stack. A catch hands over what it has caught, as to `d`. */
  readonly w: (activation: unknown, ...caught: [unknown?, unknown?]) => void;
  /** A generator resumes inside its caller of next(), return() or throw(). The same of a catch. */
  readonly v: (activation: unknown, ...caught: [unknown?, unknown?]) => void;
  /**
   * A coroutine has ended: where it has not returned, by an exception that became a rejection, or because it was closed.
   * `nested`: a generator's, inside its caller of return() or throw().
   */
  readonly k: (activation: unknown, nested?: unknown) => void;
  /**
   * The mark to unwind to in a catch; never 0. A catch whose `try` lost its mark in a wait asks for one, too, and hands over what
   * it has caught, or twice 0 if it has no name for that.
   */
  readonly d: (...caught: [unknown?, unknown?]) => number;
  /** Everything above that mark is gone. A catch hands over what it has caught, as to `d`; a finally nothing. */
  readonly u: (mark: number, ...caught: [unknown?, unknown?]) => void;
}

/** The port's patch cells of one thread. */
export interface PortCells {
  /** Makes the site of function `n` call `trampoline`. False: the thread has no such site. */
  arm(n: number, trampoline: Trampoline): boolean;
  /** Makes it a NOP again. */
  disarm(n: number): boolean;
  /** Puts a call into the cells of every prefix, also of those that come later; 0 makes it a NOP. */
  setCall(letter: keyof SiteCalls, value: SiteCalls[keyof SiteCalls] | 0): void;
}
