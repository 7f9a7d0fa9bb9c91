/**
 * A 128-bit key of a text's content: a hash of 32-bit words whose every step can be undone, so that two texts which differ in
 * one stretch of up to 16 bytes never share a key; any other two with a chance of 2^-32 or far less. It detects changed text
 * and damaged files; it does not protect against someone who can write both the sources and the cache. zlib's CRC-32 would be
 * no faster, and loading zlib takes milliseconds of a program's start.
 */
export type ContentKey = readonly [number, number, number, number];

/** Words of the four lanes while bytes are hashed. */
type Lanes = [number, number, number, number];

const { imul } = Math;

/** The bytes of a text that are hashed at once: few enough to stay in the processor's cache. */
const PIECE_BYTES = 1 << 14;
const BLOCK_WORDS = 4;
const BLOCK_BYTES = BLOCK_WORDS * 4;

const scratch = Buffer.allocUnsafeSlow(PIECE_BYTES);
const scratchWords = new Int32Array(scratch.buffer);

/** Hashes the first `count` words, a multiple of four. */
const absorb = (lanes: Lanes, words: Int32Array, count: number): void => {
  let [a, b, c, d] = lanes;
  for (let i = 0; i < count; i += BLOCK_WORDS) {
    a = imul(a ^ (words[i] as number), 0x9e3779b1);
    b = (imul(b ^ (words[i + 1] as number), 0x85ebca6b) + a) | 0;
    c = (imul(c ^ (words[i + 2] as number), 0xc2b2ae35) + b) | 0;
    d = (imul(d ^ (words[i + 3] as number), 0x27d4eb2f) + c) | 0;
    a = ((a << 15) | (a >>> 17)) ^ d;
    b = (b << 13) | (b >>> 19);
    c = (c << 17) | (c >>> 15);
    d = (d << 11) | (d >>> 21);
  }
  lanes[0] = a;
  lanes[1] = b;
  lanes[2] = c;
  lanes[3] = d;
};

/** Hashes the first bytes of the scratch memory, with zeros behind them up to a whole block. */
const absorbScratch = (lanes: Lanes, bytes: number): void => {
  const whole = Math.ceil(bytes / BLOCK_BYTES) * BLOCK_BYTES;
  for (let i = bytes; i < whole; i++) scratch[i] = 0;
  absorb(lanes, scratchWords, whole / 4);
};

const begin = (kind: number, length: number): Lanes => [0x243f6a88 ^ kind, 0x13198a2e ^ length, 0x03707344, 0x299f31d0];

const NO_WORDS = new Int32Array(BLOCK_WORDS * 3);

/** So that the last words reach every bit of the key. */
const end = (lanes: Lanes): ContentKey => {
  absorb(lanes, NO_WORDS, NO_WORDS.length);
  return [lanes[0] >>> 0, lanes[1] >>> 0, lanes[2] >>> 0, lanes[3] >>> 0];
};

/** The key of bytes. Bytes of different `kind` have different keys. */
export const keyOfBytes = (bytes: Uint8Array, kind = 0): ContentKey => {
  const lanes = begin(kind, bytes.length);
  let at = 0;
  if (bytes.byteOffset % 4 === 0) {
    const words = Math.floor(bytes.length / BLOCK_BYTES) * BLOCK_WORDS;
    absorb(lanes, new Int32Array(bytes.buffer, bytes.byteOffset, words), words);
    at = words * 4;
  }
  for (; at < bytes.length; at += PIECE_BYTES) {
    const piece = bytes.subarray(at, at + PIECE_BYTES);
    scratch.set(piece);
    absorbScratch(lanes, piece.length);
  }
  return end(lanes);
};

/** The key of a text. Texts of different `kind` (how they are parsed) have different keys. */
export const keyOfText = (text: string, kind: number): ContentKey => {
  const { length } = text;
  const isAscii = Buffer.byteLength(text, 'utf8') === length;
  const lanes = begin(isAscii ? kind : ~kind, length);
  const encoding = isAscii ? 'latin1' : 'utf16le';
  const pieceUnits = isAscii ? PIECE_BYTES : PIECE_BYTES / 2;
  for (let at = 0; at < length; at += pieceUnits) {
    const piece = length <= pieceUnits ? text : text.slice(at, at + pieceUnits);
    absorbScratch(lanes, scratch.write(piece, 0, encoding));
  }
  return end(lanes);
};

/** 32 hexadecimal digits. */
export const keyToHex = (key: ContentKey): string => key.map((word) => word.toString(16).padStart(8, '0')).join('');
