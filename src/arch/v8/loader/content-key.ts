import { crc32 } from './crc32.js';

/**
 * A 128-bit key of a text's content, cheap on megabytes: the CRC-32s of four quarters, length and kind mixed into each. Two
 * texts that differ in one short stretch never share a key; any other two with a chance of 2^-32 or far less. It detects
 * changed text and damaged files; it does not protect against someone who can write both the sources and the cache.
 */
export type ContentKey = readonly [number, number, number, number];

const KEPT_SCRATCH = 1 << 20;
let scratch = Buffer.allocUnsafe(0);

/** The key of bytes. Bytes of different `kind` (below 256) have different keys. */
export const keyOfBytes = (bytes: Uint8Array, kind = 0): ContentKey => {
  const { length } = bytes;
  const quarter = Math.ceil(length / 4);
  const start = (quarterIndex: number): number =>
    crc32(Uint8Array.of(kind, quarterIndex, length, length >>> 8, length >>> 16, length >>> 24));
  const of = (index: number): number => crc32(bytes.subarray(index * quarter, (index + 1) * quarter), start(index));
  return [of(0), of(1), of(2), of(3)];
};

/** The key of a text. Texts of different `kind` (how they are parsed) have different keys. */
export const keyOfText = (text: string, kind: number): ContentKey => {
  const length = Buffer.byteLength(text, 'utf8');
  if (scratch.length < length) scratch = Buffer.allocUnsafeSlow(Math.max(length, 1 << 16));
  scratch.write(text, 0, length, length === text.length ? 'latin1' : 'utf8');
  const key = keyOfBytes(scratch.subarray(0, length), kind);
  if (scratch.length > KEPT_SCRATCH) scratch = Buffer.allocUnsafe(0);
  return key;
};

/** 32 hexadecimal digits. */
export const keyToHex = (key: ContentKey): string => key.map((word) => word.toString(16).padStart(8, '0')).join('');
