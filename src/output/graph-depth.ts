/** A greater depth is invalid: no thread's stack has so many calls. */
export const MAX_DEPTH = 16384;

/**
 * Deeper calls have the same indentation as this depth, unless those around them have been seen: a damaged recording could make
 * lines of any length.
 */
export const MAX_INDENTED = 512;

/** The number of levels by which a call is indented. */
export const indentedDepth = (depth: number, most = MAX_INDENTED): number => Math.min(Math.max(depth, 0), most);
