/** What a thread is told about functions that have other code run in place of their own: live patches and error injection. */
export type DiversionChange = FaultChange | LivepatchChange | FollowChange;

/**
 * Calls of these functions are followed, so that the transitions of patches that come wait for them; none: of no function any
 * more.
 */
export interface FollowChange {
  readonly type: 'follow';
  readonly functions: readonly number[];
}

/** Words of a FaultAttributes memory, which all threads share (struct fault_attr). */
export const FAULT_WORD = { PROBABILITY: 0, INTERVAL: 1, TIMES: 2, SPACE: 3, VERBOSE: 4, COUNT: 5 } as const;

/** Error injection into some functions. */
export type FaultChange =
  | {
      readonly type: 'fault';
      readonly functions: readonly DivertedFunction[];
      /** FAULT_WORD */
      readonly memory: SharedArrayBuffer;
      /** An expression, or `throw` and an expression: JavaScript. */
      readonly retval: string;
      /** An expression over the parameters: only calls for which it is true fail. Empty: every call. */
      readonly condition: string;
    }
  | { readonly type: 'no fault'; readonly functions: readonly number[] };

/** A function that other code replaces. */
export interface DivertedFunction {
  readonly n: number;
  /** The names of the values that its entry site passes. */
  readonly params: readonly string[];
}

/** A function of a live patch. */
export interface PatchedFunction extends DivertedFunction {
  /** The name under which the patch's file exports the replacement. */
  readonly symbol: string;
  /**
   * The text of the arguments, made of `params`, from which the replacement gets the same parameters; absent: `params` as they
   * are.
   */
  readonly repack?: string;
  /** Where its text begins and ends: low words of addresses. */
  readonly start: number;
  readonly end: number;
}

/** A function at whose entry variables of its module are reached. */
export interface ReachingFunction {
  readonly n: number;
  readonly address: number;
  /** TextFunction.kind */
  readonly kind: number;
  /** ModuleScope.forget */
  readonly forget: string;
}

/** A module of the program whose variables a live patch reads and writes. */
export interface PatchedModule {
  /** The module's functions of the patch: a call of one of them reaches the variables. */
  readonly functions: readonly ReachingFunction[];
  readonly variables: readonly PatchedVariable[];
}

export interface PatchedVariable {
  /** The property of the patch's `klpSymbols` that becomes the variable. */
  readonly property: string;
  readonly name: string;
}

/** A live patch, by its number. */
export type LivepatchChange = { readonly type: 'livepatch'; readonly patch: number } & (
  | /** Load the file that has the replacements. */ { readonly change: 'load'; readonly url: string }
  /** A message: the patch's functions are about to be patched: they run their own code, and their calls are counted. */
  | { readonly change: 'patch'; readonly functions: readonly PatchedFunction[]; readonly modules: readonly PatchedModule[] }
  /** Go over to the replacements, or back. */
  | { readonly change: 'enable' | 'disable'; readonly seq: number }
  /** Do it at once, whatever runs. */
  | { readonly change: 'force' }
  | { readonly change: 'remove' }
);

/** A function that the file of a live patch exports. */
export interface Replacement {
  readonly symbol: string;
  /** See PatchedFunction.repack; absent: its parameters are plain names. Undefined if it cannot be read. */
  readonly repack?: string;
}

/** A variable that the file of a live patch needs: a property of its `klpSymbols` and its value, `NAME` or `FILE:NAME`. */
export interface WantedVariable {
  readonly property: string;
  readonly reference: string;
}

/** What a thread tells about a live patch. */
export type LivepatchNews =
  | { readonly news: 'loaded'; readonly replacements: readonly Replacement[]; readonly variables: readonly WantedVariable[] }
  /** The variables of a module cannot be reached: the thread runs the old code. */
  | { readonly news: 'unreached'; readonly message: string }
  | { readonly news: 'failed'; readonly message: string }
  /** The thread has gone over to the state that the change with this `seq` asked for. */
  | { readonly news: 'over'; readonly seq: number };

/** What a program asks for: a live patch of its own, which has a number of the thread's. */
export type LivepatchRequest = { readonly id: number } & (
  | {
      readonly action: 'load' | 'prepare';
      readonly name: string;
      /** Absolute. */
      readonly path: string;
    }
  | { readonly action: 'enable' | 'disable' | 'force' }
);

/** The state of a live patch, as its files show it. */
export interface LivepatchState {
  /** What it is, or becomes when its transition is over. */
  readonly enabled: boolean;
  /** A thread has not gone over yet. */
  readonly transition: boolean;
  /** Whether the patch was disabled, and its transition is over. */
  readonly isGone: boolean;
  /** What it replaces: `OBJECT/FUNCTION,SYMPOS`. */
  readonly functions: readonly string[];
}
