import type { CacheFolder } from '../../base/cache/cache-folder.js';
import { type CacheEntry, entryParts, readEntry } from './cache-entry.js';
import { type ContentKey, keyToHex } from './content-key.js';
import { TextBatches } from './text-batches.js';

/** So many entries of a thread have a file each. */
const ALONE = 8;

/** The payloads of a prepared cache, by their texts' keys. */
interface PreparedContents {
  findContent(key: ContentKey): Uint8Array<ArrayBuffer> | undefined;
}

/**
 * The result of instrumenting a source, kept on disk under the source's content key: a payload of bytes and a text. An entry
 * is used only if it is complete, undamaged, and of this key. The first ones that a thread stores have a file each, the others
 * are in one file together (text-batches.ts).
 */
export class TextCache {
  readonly #folder: CacheFolder | undefined;
  readonly #batches: TextBatches | undefined;
  readonly #prepared: readonly PreparedContents[];
  #written = 0;

  /**
   * @param folder undefined: nothing is stored
   * @param prepared where entries are looked for first
   */
  constructor(folder: CacheFolder | undefined, prepared: readonly PreparedContents[] = []) {
    this.#folder = folder;
    this.#batches = folder && new TextBatches(folder);
    this.#prepared = prepared;
  }

  /** The entry under a key. `wantsText` sees the payload and says whether to read the text too. */
  read(key: ContentKey, wantsText: (payload: Uint8Array<ArrayBuffer>) => boolean): CacheEntry | undefined {
    for (let i = 0; i < this.#prepared.length; i++) {
      const payload = this.#prepared[i]!.findContent(key);
      if (payload !== undefined) return { payload, text: undefined, writtenAt: Number.POSITIVE_INFINITY };
    }
    const name = keyToHex(key);
    const alone = this.#folder?.has(name) && this.#readAt(name, undefined, key, wantsText);
    if (alone) return alone;
    const place = this.#batches?.find(key);
    return place && this.#readAt(place.name, place, key, wantsText);
  }

  #readAt(
    name: string,
    place: { readonly at: number; readonly bytes: number } | undefined,
    key: ContentKey,
    wantsText: (payload: Uint8Array<ArrayBuffer>) => boolean,
  ): CacheEntry | undefined {
    return this.#folder?.read(name, ({ fd, size, writtenAt }) => {
      const entry = readEntry({ fd, at: place?.at ?? 0, bytes: place?.bytes ?? size }, key, wantsText);
      return entry && { ...entry, writtenAt };
    });
  }

  /** Stores an entry; see CacheFolder. */
  write(key: ContentKey, payload: Uint8Array, text: string): void {
    if (this.#folder?.isWritable !== true) return;
    const parts = entryParts(key, payload, text);
    // An entry of its own is found before one that is with others.
    const isAlone = this.#written++ < ALONE || this.#batches?.find(key) !== undefined;
    if (isAlone || this.#batches?.append(key, parts) !== true) this.#folder.write(keyToHex(key), parts);
  }
}
