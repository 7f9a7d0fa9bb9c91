import { FTRACE_EVENTS } from '../events/ftrace-events.js';

/** First words of the tracers' records: common_type, with common_flags and common_preempt_count 0. */
export const FUNCTION_TYPE: number = FTRACE_EVENTS.function.id;
export const ENTRY_TYPE: number = FTRACE_EVENTS.funcgraph_entry.id;
export const EXIT_TYPE: number = FTRACE_EVENTS.funcgraph_exit.id;

/** Bytes of the records without what is appended. */
export const FUNCTION_BYTES = 24;
export const ENTRY_BYTES = 20;
export const EXIT_BYTES = 40;

/** 2^-32: the high half of a 64-bit number of nanoseconds; storing into a Uint32Array cuts the fraction. */
export const HIGH_HALF = 2 ** -32;
