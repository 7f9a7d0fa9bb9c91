/** 64-bit words as they stand in memory. */
export const longBytes = (...values: readonly (number | bigint)[]): Uint8Array =>
  new Uint8Array(BigInt64Array.from(values, BigInt).buffer);
