import type { CacheFolder } from '../../base/cache/cache-folder.js';
import { DateNow, MathRandom } from '../../base/primordials.js';
import { SafeMap } from '../../base/safe-map.js';
import { entryHead, HEADER_BYTES } from './cache-entry.js';
import { type ContentKey, shortKey } from './content-key.js';

const SUFFIX = '.texts';
/** Files with many entries that there are at most: a first start looks into each of them. */
const MOST_FILES = 16;
/** Bytes of the largest one. */
const MOST_BYTES = 64 * 1024 * 1024;
/** Milliseconds after which it is looked again what other processes have stored. */
const LOOK_AGAIN = 500;

/** Where an entry is. */
interface Place {
  /** Name of the file. */
  readonly name: string;
  /** First byte of the entry in the file. */
  readonly at: number;
  readonly bytes: number;
}

/**
 * Files of the cache with many entries, one behind the other. Making a file takes longer than all else that is done to store a
 * text, so that a thread which stores many appends them to one. A file has one writer. It is opened for each entry: a descriptor
 * that stays open could be closed by the program, and be another file then. What a process has not completed because it was
 * killed is the last in its file, and is not read.
 */
export class TextBatches {
  readonly #folder: CacheFolder;
  readonly #places = new SafeMap<number, Place>();
  /** Bytes of each file whose entries are known. */
  readonly #known = new SafeMap<string, number>();
  #lookedAt = -Infinity;
  #own: string | undefined;
  #isFull = false;

  constructor(folder: CacheFolder) {
    this.#folder = folder;
  }

  /** Where the entry of a key is, if it is in such a file. The key must still be compared. */
  find(key: ContentKey): Place | undefined {
    const short = shortKey(key[0], key[1]);
    const place = this.#places.get(short);
    if (place !== undefined || DateNow() - this.#lookedAt < LOOK_AGAIN) return place;
    this.#look();
    return this.#places.get(short);
  }

  /** Stores an entry in this thread's file. Returns false if it has none, or the entry could not be stored. */
  append(key: ContentKey, parts: readonly Uint8Array[]): boolean {
    if (this.#isFull) return false;
    const name = this.#own ?? this.#ownName();
    if (name === undefined) return false;
    let bytes = 0;
    for (let i = 0; i < parts.length; i++) bytes += parts[i]!.length;
    const at = this.#known.get(name) ?? 0;
    if (at + bytes > MOST_BYTES || !this.#folder.append(name, parts)) {
      this.#isFull = true;
      return false;
    }
    this.#known.set(name, at + bytes);
    this.#places.set(shortKey(key[0], key[1]), { name, at, bytes });
    return true;
  }

  #ownName(): string | undefined {
    this.#look();
    this.#isFull = this.#known.size >= MOST_FILES;
    if (!this.#isFull) this.#own = `${process.pid}-${MathRandom().toString(36).slice(2)}${SUFFIX}`;
    return this.#own;
  }

  /** Learns what is in the files that there are now. */
  #look(): void {
    this.#lookedAt = DateNow();
    const names = this.#folder.names();
    for (let i = 0; i < names.length; i++) if (names[i]!.endsWith(SUFFIX)) this.#learn(names[i]!);
  }

  #learn(name: string): void {
    let at = this.#known.get(name) ?? 0;
    this.#folder.read(name, ({ fd, size }) => {
      while (at + HEADER_BYTES <= size) {
        const head = entryHead(fd, at);
        if (head === undefined || at + head.bytes > size) break;
        this.#places.set(shortKey(head.key[0], head.key[1]), { name, at, bytes: head.bytes });
        at += head.bytes;
      }
    });
    this.#known.set(name, at);
  }
}
