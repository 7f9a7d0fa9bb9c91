const never = new Int32Array(new SharedArrayBuffer(4));

/** Blocks this thread for so many milliseconds, also less than one. */
export const pause = (ms: number): void => void Atomics.wait(never, 0, 0, ms);
