/** Sizes of the tracers' records, without appended data; literals, so that they are constants in the bundle. */
export const FUNCTION_BYTES = 24;
export const ENTRY_BYTES = 20;
export const EXIT_BYTES = 40;
/** Bytes behind the entry or the exit of a part of a coroutine: the flags, and the time of its call. */
export const ACTIVATION_BYTES = 8;

/** 2^-32: gives the high half of a 64-bit number of nanoseconds; storing into a Uint32Array cuts the fraction. */
export const HIGH_HALF = 2.3283064365386963e-10;
