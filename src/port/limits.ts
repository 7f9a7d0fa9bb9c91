/** The most threads that can be traced at the same time, each a cpu of the trace; further ones run untraced. */
export const MAX_THREADS = 256;
/** The most writers of an instance's buffers: a thread and the control side on each cpu. */
export const MAX_WRITERS = 2 * MAX_THREADS;
/** The number of the control side's writer of a cpu; the number of a thread's writer is its cpu. */
export const controlWriter = (cpu: number): number => MAX_THREADS + cpu;
/** Functions that may have breakpoints at the same time. */
export const MOST_BREAKPOINTS = 256;

/** The most bytes of all texts and arrays in a record: it must fit into a page. */
export const MAX_TEXT_SIZE = 3072;
