import type { CacheFolder } from '../../base/cache/cache-folder.js';
import { readWhole } from '../../base/cache/open-private.js';
import { type ContentKey, keyOfBytes, keyToHex } from './content-key.js';

const MAGIC = 0x79727466;
const HEADER_WORDS = 16;
const HEADER_BYTES = HEADER_WORDS * 4;
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

/** The payloads of a prepared cache, by their texts' keys. */
interface PreparedContents {
  findContent(key: ContentKey): Uint8Array<ArrayBuffer> | undefined;
}

/**
 * The result of instrumenting a source, kept on disk under the source's content key: a payload of bytes and a text. An entry
 * is used only if it is complete, undamaged, and of this key.
 */
export class TextCache {
  readonly #folder: CacheFolder | undefined;
  readonly #prepared: readonly PreparedContents[];

  /**
   * @param folder undefined: nothing is stored
   * @param prepared where entries are looked for first
   */
  constructor(folder: CacheFolder | undefined, prepared: readonly PreparedContents[] = []) {
    this.#folder = folder;
    this.#prepared = prepared;
  }

  /** The entry under a key. `wantsText` sees the payload and says whether to read the text too. */
  read(key: ContentKey, wantsText: (payload: Uint8Array<ArrayBuffer>) => boolean): CacheEntry | undefined {
    for (let i = 0; i < this.#prepared.length; i++) {
      const payload = this.#prepared[i]!.findContent(key);
      if (payload !== undefined) return { payload, text: undefined, writtenAt: Number.POSITIVE_INFINITY };
    }
    return this.#folder?.read(keyToHex(key), ({ fd, size, writtenAt }) => {
      const header = new Uint32Array(HEADER_WORDS);
      if (
        !readWhole(fd, header, 0) ||
        header[WORD.magic] !== MAGIC ||
        (header[WORD.wide] as number) > 1 ||
        !hasKey(header, WORD.key, key)
      )
        return undefined;
      const payloadBytes = header[WORD.payloadBytes] as number;
      const textBytes = header[WORD.textBytes] as number;
      if (size !== HEADER_BYTES + payloadBytes + textBytes) return undefined;
      const payload = new Uint8Array(payloadBytes);
      if (!readWhole(fd, payload, HEADER_BYTES)) return undefined;
      if (!hasKey(header, WORD.payloadCheck, keyOfBytes(payload))) return undefined;
      if (textBytes === 0 || !wantsText(payload)) return { payload, text: undefined, writtenAt };
      const bytes = Buffer.allocUnsafeSlow(textBytes);
      if (
        !readWhole(fd, bytes, HEADER_BYTES + payload.length) ||
        !hasKey(header, WORD.textCheck, keyOfBytes(bytes, header[WORD.wide]))
      )
        return undefined;
      return { payload, text: bytes.toString(encodingOf(header[WORD.wide] === 1)), writtenAt };
    });
  }

  /** Stores an entry; see CacheFolder. */
  write(key: ContentKey, payload: Uint8Array, text: string): void {
    if (this.#folder?.isWritable !== true) return;
    const wide = isWide(text) ? 1 : 0;
    const bytes = Buffer.from(text, encodingOf(wide === 1));
    const header = new Uint32Array(HEADER_WORDS);
    header.set([MAGIC, payload.length, bytes.length, wide, ...key, ...keyOfBytes(payload), ...keyOfBytes(bytes, wide)]);
    this.#folder.write(keyToHex(key), [header, payload, bytes]);
  }
}

/** Whether a text needs two bytes a unit. */
export const isWide = (text: string): boolean =>
  // Counting the bytes of what is all ASCII is faster than looking at each unit.
  Buffer.byteLength(text, 'utf8') !== text.length && /[^\0-\xff]/.test(text);

/** How a text is stored. */
export const encodingOf = (wide: boolean): 'utf16le' | 'latin1' => (wide ? 'utf16le' : 'latin1');

/** Whether the words at `at` are those of the key. */
export const hasKey = (words: Uint32Array, at: number, key: ContentKey): boolean =>
  words[at] === key[0] && words[at + 1] === key[1] && words[at + 2] === key[2] && words[at + 3] === key[3];
