/** The code that runs in place of a function's own: gets its `this` (0 for none) and the values of its parameters. */
export type Instead = (self: unknown, args: readonly unknown[]) => unknown;

/**
 * The owner of a function that may have other code run (FTRACE_OPS_FL_IPMODIFY). Only `Instead` may throw or run code of the
 * program.
 */
export interface Diversion {
  /** Chooses what the call runs that is about to begin; undefined: the function's own code. */
  choose(self: unknown, args: readonly unknown[]): Instead | undefined;
  /** Whether a call that runs the function's own code is followed from its entry to its end. */
  readonly follows: boolean;
  /** Such a call begins; is suspended, comes back; ends. */
  began?(): void;
  suspended?(): void;
  resumed?(): void;
  ended?(): void;
}

export type Diversions = Map<number, Diversion>;
