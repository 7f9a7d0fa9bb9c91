/** Writing text into a byte array: each function writes at `at` and returns where it stopped. */

const ZERO = 48;
const SPACE = 32;

/** The three digits of 0 to 999. */
const TRIPLES = Uint8Array.from({ length: 3000 }, (_, i) => ZERO + (Math.floor(Math.floor(i / 3) / 10 ** (2 - (i % 3))) % 10));

export function putBytes(out: Uint8Array, at: number, bytes: Uint8Array): number {
  const length = bytes.length;
  for (let i = 0; i < length; i++) out[at + i] = bytes[i]!;
  return at + length;
}

export function putSpaces(out: Uint8Array, at: number, count: number): number {
  for (let i = 0; i < count; i++) out[at + i] = SPACE;
  return count > 0 ? at + count : at;
}

/** Three digits of a number below 1000. */
export function putTriple(out: Uint8Array, at: number, value: number): number {
  const from = value * 3;
  out[at] = TRIPLES[from]!;
  out[at + 1] = TRIPLES[from + 1]!;
  out[at + 2] = TRIPLES[from + 2]!;
  return at + 3;
}

/** A whole number of 0 or more, up to 2^53. */
export function putDecimal(out: Uint8Array, at: number, value: number): number {
  if (value < 10) {
    out[at] = ZERO + value;
    return at + 1;
  }
  if (value < 1000) {
    const from = value * 3;
    if (value >= 100) out[at++] = TRIPLES[from]!;
    out[at] = TRIPLES[from + 1]!;
    out[at + 1] = TRIPLES[from + 2]!;
    return at + 2;
  }
  const high = Math.floor(value / 1000);
  return putTriple(out, putDecimal(out, at, high), value - high * 1000);
}

/** Text that is rarely written; as UTF-8. */
export function putText(out: Uint8Array, at: number, text: string): number {
  return putBytes(out, at, Buffer.from(text, 'utf8'));
}
