/**
 * While `trampoline` runs, finds the caller of the function whose site called it: an address inside the caller, like a
 * return address (text-region.ts); 0 if that is not known. Runs no code of the program, and never throws.
 */
export type FindCaller = (trampoline: (...args: never[]) => unknown) => number;

/**
 * Fills `addresses` with the functions on the calling thread's JavaScript stack: an address inside each (text-region.ts),
 * innermost first, fentry's own left out. Returns how many there are. Runs no code of the program, and never throws.
 * @param withAwaiting whether the functions that await the outermost one follow, behind a frame that says so
 * @param callee a function of fentry that the program called by one other function of fentry; absent: it is not known
 */
export type WalkStack = (addresses: Uint32Array, withAwaiting: boolean, callee?: (...args: never[]) => unknown) => number;

/**
 * How many bytes of its stack the calling thread uses, including native code but without the measurement itself. A call takes
 * microseconds. `end` frees its resources.
 */
export interface StackDepth {
  (): number;
  end(): void;
}
