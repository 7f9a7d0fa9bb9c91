/** Whether two runs of bytes have the same length and content. */
export const sameBytes = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;
