/** Up to so many bytes, a loop is faster than a call of Node. */
const FEW = 32;

/** Whether two runs of bytes have the same length and content. */
export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  const { length } = a;
  if (length !== b.length) return false;
  if (length > FEW) return Buffer.compare(a, b) === 0;
  for (let i = 0; i < length; i++) if (a[i] !== b[i]) return false;
  return true;
}
