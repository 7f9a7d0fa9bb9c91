/** What an entry returns for a call whose end is not to be told. */
export const NO_EXIT: unique symbol = Symbol('no exit');

/**
 * What sites call for a probe of the program (kprobes, kretprobes and fprobes), on its thread. In it no call is traced, and what
 * it throws does not reach the program.
 */
export interface ProbeOps {
  /** The callback, as enabled_functions names it. */
  readonly name: string;
  /** A function is called. Returns what the end of this call is told with, or NO_EXIT. */
  entry(n: number, self: unknown, args: readonly unknown[]): unknown;
  /**
   * Tells that a call has ended.
   * @param kept what `entry` returned
   * @param unwound an exception has ended it
   * @param isCoroutine it is a coroutine whose own promise is resolved or rejected next
   */
  exit(n: number, kept: unknown, value: unknown, unwound: boolean, isCoroutine?: boolean): void;
  /** Tells that a coroutine's call leaves the stack, and comes back. */
  suspended?(kept: unknown): void;
  resumed?(kept: unknown): void;
  /** A function was called while a probe's handler or a subscriber ran: the entry is not called. */
  missed(n: number): void;
}
