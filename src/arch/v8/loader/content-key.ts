/**
 * A 128-bit key of a text's content, made to be cheap on megabytes: four lanes of 32-bit multiplications and rotations, in
 * the manner of MurmurHash3. It finds changed text and damaged files; it is no defence against someone who can write both
 * the sources and the cache.
 */
export type ContentKey = readonly [number, number, number, number];

const { imul } = Math;
const KEPT_SCRATCH = 1 << 20;
let scratch = Buffer.allocUnsafe(0);

const rotate = (x: number, bits: number): number => (x << bits) | (x >>> (32 - bits));

const finish = (x: number): number => {
  x = imul(x ^ (x >>> 16), 0x85ebca6b);
  x = imul(x ^ (x >>> 13), 0xc2b2ae35);
  return (x ^ (x >>> 16)) >>> 0;
};

/** The key of bytes. `words` must cover them, padded with zeros to a multiple of 16 bytes; `length` and `seed` are mixed in. */
export const keyOfWords = (words: Uint32Array, length: number, seed: number): ContentKey => {
  let a = seed ^ 0x239b961b;
  let b = seed ^ 0xab0e9789;
  let c = seed ^ 0x38b34ae5;
  let d = seed ^ 0xa1e38b93;
  for (let i = 0; i < words.length; i += 4) {
    a = imul(rotate(a ^ imul(words[i] as number, 0x239b961b), 19) + b, 5) + 0x561ccd1b;
    b = imul(rotate(b ^ imul(words[i + 1] as number, 0xab0e9789), 17) + c, 5) + 0x0bcaa747;
    c = imul(rotate(c ^ imul(words[i + 2] as number, 0x38b34ae5), 15) + d, 5) + 0x96cd1c35;
    d = imul(rotate(d ^ imul(words[i + 3] as number, 0xa1e38b93), 13) + a, 5) + 0x32ac3b17;
  }
  a ^= length;
  a = finish(a + b + c + d);
  b = finish(b + a);
  c = finish(c + a);
  d = finish(d + a);
  return [finish(a + b + c + d), b, c, d];
};

const padded = (bytes: number): number => (bytes + 15) & ~15;

const wordsOf = (bytes: number): Uint32Array => {
  scratch.fill(0, bytes, padded(bytes));
  return new Uint32Array(scratch.buffer, scratch.byteOffset, padded(bytes) >> 2);
};

const reserve = (bytes: number): void => {
  if (scratch.length < padded(bytes)) scratch = Buffer.from(new ArrayBuffer(Math.max(padded(bytes), 1 << 16)));
};

/** The key of a text. Texts of different `kind` (how they are parsed) never share a key. */
export const keyOfText = (text: string, kind: number): ContentKey => {
  const bytes = Buffer.byteLength(text, 'utf8');
  reserve(bytes);
  if (bytes === text.length) scratch.write(text, 0, bytes, 'latin1');
  else scratch.write(text, 0, bytes, 'utf8');
  const key = keyOfWords(wordsOf(bytes), bytes, kind);
  if (scratch.length > KEPT_SCRATCH) scratch = Buffer.allocUnsafe(0);
  return key;
};

/** The key of a byte array of any alignment. */
export const keyOfBytes = (bytes: Uint8Array): ContentKey => {
  reserve(bytes.length);
  scratch.set(bytes, 0);
  const key = keyOfWords(wordsOf(bytes.length), bytes.length, 0);
  if (scratch.length > KEPT_SCRATCH) scratch = Buffer.allocUnsafe(0);
  return key;
};

/** 32 hexadecimal digits. */
export const keyToHex = (key: ContentKey): string => key.map((word) => word.toString(16).padStart(8, '0')).join('');
