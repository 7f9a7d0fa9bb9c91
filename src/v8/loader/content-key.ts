import { BLOCK_BYTES, type BlockMixer, blockMixer } from './block-mixer.js';

/**
 * A 128-bit key of a text's content: a hash of 32-bit words whose every step can be undone, so that two texts which differ in
 * one block of 16 bytes never share a key; any other two with a chance of 2^-32 or far less. It detects changed text
 * and damaged files; it does not protect against someone who can write both the sources and the cache. zlib's CRC-32 would be
 * no faster, and loading zlib takes milliseconds of a program's start.
 */
export type ContentKey = readonly [number, number, number, number];

/** The bytes that are hashed at once: few enough to stay in the processor's cache. */
const PIECE_BYTES = 1 << 15;

/** A mixer, with the bytes and the words of its memory. */
interface KeyMixer extends BlockMixer {
  readonly bytes: Buffer<ArrayBuffer>;
  readonly words: Int32Array;
}

const keyMixer = (): KeyMixer => {
  const mixer = blockMixer();
  return { ...mixer, bytes: Buffer.from(mixer.memory), words: new Int32Array(mixer.memory) };
};
let made: KeyMixer | undefined;

/** Zeros that are mixed in at the end, so that the last words reach every bit of the key. */
const END_WORDS = 32;
const WORDS = BLOCK_BYTES / 4;

/** The key of `size` bytes, which `fill` puts into the memory at BLOCK_BYTES, a piece at a time. */
const keyOf = (kind: number, length: number, size: number, fill: (bytes: Buffer, at: number) => void): ContentKey => {
  made ??= keyMixer();
  const { bytes, words, mix } = made;
  words[0] = 0x243f6a88 ^ kind;
  words[1] = 0x13198a2e ^ length;
  words[2] = 0x03707344;
  words[3] = 0x299f31d0;
  for (let at = 0; at < size; at += PIECE_BYTES) {
    const end = BLOCK_BYTES + Math.min(PIECE_BYTES, (size - at + BLOCK_BYTES - 1) & -BLOCK_BYTES);
    // Behind the last bytes there are zeros.
    words.fill(0, end / 4 - WORDS, end / 4);
    fill(bytes, at);
    mix(end);
  }
  words.fill(0, WORDS, WORDS + END_WORDS);
  mix(BLOCK_BYTES + END_WORDS * 4);
  return [words[0] >>> 0, words[1] >>> 0, words[2] >>> 0, words[3] >>> 0];
};

/** The key of bytes. Bytes of different `kind` have different keys. */
export const keyOfBytes = (bytes: Uint8Array, kind = 0): ContentKey =>
  keyOf(kind, bytes.length, bytes.length, (into, at) => into.set(bytes.subarray(at, at + PIECE_BYTES), BLOCK_BYTES));

/** The key of a text. Texts of different `kind` (how they are parsed) have different keys. */
export const keyOfText = (text: string, kind: number): ContentKey => {
  const { length } = text;
  const isAscii = Buffer.byteLength(text, 'utf8') === length;
  const encoding = isAscii ? 'latin1' : 'utf16le';
  const unit = isAscii ? 1 : 2;
  return keyOf(isAscii ? kind : ~kind, length, length * unit, (into, at) => {
    const piece = length * unit <= PIECE_BYTES ? text : text.slice(at / unit, (at + PIECE_BYTES) / unit);
    into.write(piece, BLOCK_BYTES, encoding);
  });
};

/** 32 hexadecimal digits. */
export const keyToHex = (key: ContentKey): string => key.map((word) => word.toString(16).padStart(8, '0')).join('');

/** 52 bits of a key, as a number: composing a text of all takes longer than the rest of a look. */
export const shortKey = (first: number, second: number): number => first * 0x100000 + (second & 0xfffff);
