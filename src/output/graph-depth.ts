/** A depth beyond this is no depth: no thread's stack holds as many calls. */
export const MAX_DEPTH = 16384;

/**
 * Calls that are deeper are indented as this one is: nobody can tell them apart any more, and a damaged recording's depths would
 * make its lines as long as they like. The kernel's graph has 50 at most (FTRACE_RETFUNC_DEPTH).
 */
const MAX_INDENTED = 512;

/** Levels that a call is indented by. */
export const indentedDepth = (depth: number): number => Math.min(Math.max(depth, 0), MAX_INDENTED);
