/** Functions that may have breakpoints at the same time. */
export const MOST_BREAKPOINTS = 256;
