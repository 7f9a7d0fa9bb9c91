/**
 * What the names of the cells of fentry's own tracepoints begin with: the program does not find them among the global object's
 * keys.
 */
export const TRACEPOINT_CELLS = '$fentryTracepoint';
