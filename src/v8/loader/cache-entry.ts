import { readWhole } from '../../base/cache/open-private.js';
import { type ContentKey, keyOfBytes } from './content-key.js';

const MAGIC = 0x79727466;
const HEADER_WORDS = 16;
/** Bytes at the beginning of an entry. */
export const HEADER_BYTES = HEADER_WORDS * 4;
/** Header words. The checks are keys of the entry's contents, so that damage is detected. */
const WORD = { magic: 0, payloadBytes: 1, textBytes: 2, wide: 3, key: 4, payloadCheck: 8, textCheck: 12 } as const;

/** An entry as it is read. */
export interface CacheEntry {
  readonly payload: Uint8Array<ArrayBuffer>;
  /** The text, if it was wanted and is undamaged. */
  readonly text: string | undefined;
  /** When the entry was written, in milliseconds since 1970. */
  readonly writtenAt: number;
}

/** Where an entry is in an open file. */
interface EntryPlace {
  readonly fd: number;
  /** First byte of the entry. */
  readonly at: number;
  readonly bytes: number;
}

/** The key and the bytes of an entry whose header is at a place of a file; undefined if none is there. */
export const entryHead = (fd: number, at: number): { readonly key: ContentKey; readonly bytes: number } | undefined => {
  const header = new Uint32Array(HEADER_WORDS);
  if (!readWhole(fd, header, at) || header[WORD.magic] !== MAGIC) return undefined;
  const key = header.subarray(WORD.key, WORD.key + 4) as unknown as ContentKey;
  return { key, bytes: HEADER_BYTES + header[WORD.payloadBytes]! + header[WORD.textBytes]! };
};

/**
 * Reads an entry; undefined if it is not complete and undamaged, or of another key.
 * @param wantsText sees the payload and says whether to read the text too
 */
export const readEntry = (
  { fd, at, bytes: size }: EntryPlace,
  key: ContentKey,
  wantsText: (payload: Uint8Array<ArrayBuffer>) => boolean,
): Omit<CacheEntry, 'writtenAt'> | undefined => {
  const header = new Uint32Array(HEADER_WORDS);
  if (
    !readWhole(fd, header, at) ||
    header[WORD.magic] !== MAGIC ||
    (header[WORD.wide] as number) > 1 ||
    !hasKey(header, WORD.key, key)
  )
    return undefined;
  const payloadBytes = header[WORD.payloadBytes] as number;
  const textBytes = header[WORD.textBytes] as number;
  if (size !== HEADER_BYTES + payloadBytes + textBytes) return undefined;
  const payload = new Uint8Array(payloadBytes);
  if (!readWhole(fd, payload, at + HEADER_BYTES)) return undefined;
  if (!hasKey(header, WORD.payloadCheck, keyOfBytes(payload))) return undefined;
  if (textBytes === 0 || !wantsText(payload)) return { payload, text: undefined };
  const bytes = Buffer.allocUnsafeSlow(textBytes);
  if (
    !readWhole(fd, bytes, at + HEADER_BYTES + payload.length) ||
    !hasKey(header, WORD.textCheck, keyOfBytes(bytes, header[WORD.wide]))
  )
    return undefined;
  return { payload, text: bytes.toString(encodingOf(header[WORD.wide] === 1)) };
};

/** An entry as bytes. */
export const entryParts = (key: ContentKey, payload: Uint8Array, text: string): readonly Uint8Array[] => {
  const wide = isWide(text) ? 1 : 0;
  const bytes = Buffer.from(text, encodingOf(wide === 1));
  const header = new Uint32Array(HEADER_WORDS);
  header.set([MAGIC, payload.length, bytes.length, wide, ...key, ...keyOfBytes(payload), ...keyOfBytes(bytes, wide)]);
  return [new Uint8Array(header.buffer), payload, bytes];
};

/** Whether a text needs two bytes a unit. */
export const isWide = (text: string): boolean =>
  // Counting the bytes of what is all ASCII is faster than looking at each unit.
  Buffer.byteLength(text, 'utf8') !== text.length && /[^\0-\xff]/.test(text);

/** How a text is stored. */
export const encodingOf = (wide: boolean): 'utf16le' | 'latin1' => (wide ? 'utf16le' : 'latin1');

/** Whether the words at `at` are those of the key. */
export const hasKey = (words: Uint32Array, at: number, key: ContentKey): boolean =>
  words[at] === key[0] && words[at + 1] === key[1] && words[at + 2] === key[2] && words[at + 3] === key[3];
