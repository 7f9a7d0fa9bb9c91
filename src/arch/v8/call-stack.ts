/**
 * Says, while `trampoline` runs, from where the function whose site called it was called: low 32 bits of an address inside
 * the caller, as a return address is; 0 when that is not known. Runs no code of the program, and never throws.
 */
export type FindCaller = (trampoline: (...args: never[]) => unknown) => number;

/**
 * Fills `addresses` with where the functions stand that are on the calling thread's JavaScript stack: the low 32 bits of an
 * address inside each, innermost first, fentry's own left out. Returns how many there are. Runs no code of the program,
 * and never throws.
 * @param withAwaiting whether the functions that await the outermost one follow, behind a frame that says so
 */
export type WalkStack = (addresses: Uint32Array, withAwaiting: boolean) => number;

/**
 * How many bytes of its stack the calling thread uses, those of native code too and its own not. Calls of it cost
 * microseconds. `end` lets go of what it needs.
 */
export interface StackDepth {
  (): number;
  end(): void;
}
