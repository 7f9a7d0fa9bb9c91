/** Threads that can be traced at the same time, each a cpu of the trace; further ones run untraced. */
export const MAX_THREADS = 256;
/** Writers of an instance's buffers at most: a thread and the control side on each cpu. */
export const MAX_WRITERS = 2 * MAX_THREADS;
/** The number of the control side's writer of a cpu among them; a thread's is its cpu. */
export const ownWriter = (cpu: number): number => MAX_THREADS + cpu;
