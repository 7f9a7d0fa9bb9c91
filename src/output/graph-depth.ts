/** A greater depth is invalid: no thread's stack has so many calls. */
export const MAX_DEPTH = 16384;

/**
 * Deeper calls have the same indentation as this depth: a reader could not tell them apart, and a damaged recording could make
 * lines of any length. The kernel's graph has at most 50 levels (FTRACE_RETFUNC_DEPTH).
 */
const MAX_INDENTED = 512;

/** The number of levels by which a call is indented. */
export const indentedDepth = (depth: number): number => Math.min(Math.max(depth, 0), MAX_INDENTED);
