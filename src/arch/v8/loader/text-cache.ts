import * as fs from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../../base/make-folder.js';
import { type ContentKey, keyOfBytes, keyToHex } from './content-key.js';

const MAGIC = 0x79727466;
const HEADER_WORDS = 16;
const HEADER_BYTES = HEADER_WORDS * 4;
/** Header words. The checks are keys of what the entry holds, so that damage is seen. */
const WORD = { magic: 0, payloadBytes: 1, textBytes: 2, wide: 3, key: 4, payloadCheck: 8, textCheck: 12 } as const;

/** Taken before the program may put its own in their place. */
const { closeSync, constants, fstatSync, lstatSync, openSync, readSync, renameSync, unlinkSync, writevSync } = fs;

/** An entry as it is read. */
export interface CacheEntry {
  readonly payload: Uint8Array<ArrayBuffer>;
  /** The text, if it was wanted and is undamaged. */
  readonly text: string | undefined;
  /** When the entry was written, in milliseconds since 1970. */
  readonly writtenAt: number;
}

/**
 * What instrumenting gave for a source, kept on disk under the source's content key: a payload of bytes and a text. An
 * entry is used only when it is this user's own, complete, undamaged, and of this key. Nothing that goes wrong with the
 * disk reaches the program.
 *
 * `folder` belongs to one build of fentry (another build reads other entries); it is made when first written to.
 */
export class TextCache {
  readonly #folder: string;
  readonly #uid: number;
  #writable: boolean | undefined;

  constructor(folder: string) {
    this.#folder = folder;
    this.#uid = process.geteuid?.() ?? 0;
  }

  /** The entry under a key. `wantsText` sees the payload and says whether to read the text too. */
  read(key: ContentKey, wantsText: (payload: Uint8Array<ArrayBuffer>) => boolean): CacheEntry | undefined {
    let fd: number | undefined;
    try {
      fd = openSync(this.#path(key), constants.O_RDONLY | constants.O_NOFOLLOW);
      const stat = fstatSync(fd);
      if (!stat.isFile() || stat.uid !== this.#uid) return undefined;
      const header = new Uint32Array(HEADER_WORDS);
      if (
        !readWhole(fd, header, 0) ||
        header[WORD.magic] !== MAGIC ||
        (header[WORD.wide] as number) > 1 ||
        !hasKey(header, WORD.key, key)
      )
        return undefined;
      const payload = new Uint8Array(header[WORD.payloadBytes] as number);
      const textBytes = header[WORD.textBytes] as number;
      if (stat.size !== HEADER_BYTES + payload.length + textBytes || !readWhole(fd, payload, HEADER_BYTES)) return undefined;
      if (!hasKey(header, WORD.payloadCheck, keyOfBytes(payload))) return undefined;
      const writtenAt = stat.mtimeMs;
      if (textBytes === 0 || !wantsText(payload)) return { payload, text: undefined, writtenAt };
      const bytes = Buffer.allocUnsafeSlow(textBytes);
      if (
        !readWhole(fd, bytes, HEADER_BYTES + payload.length) ||
        !hasKey(header, WORD.textCheck, keyOfBytes(bytes, header[WORD.wide]))
      )
        return undefined;
      return { payload, text: bytes.toString(header[WORD.wide] === 1 ? 'utf16le' : 'latin1'), writtenAt };
    } catch {
      return undefined;
    } finally {
      if (fd !== undefined) closeQuietly(fd);
    }
  }

  /** Stores an entry. Other processes see the whole entry or none; a failure is silent and ends writing for this process. */
  write(key: ContentKey, payload: Uint8Array, text: string): void {
    const path = this.#path(key);
    const temporary = `${path}.${process.pid}.${Math.random().toString(36).slice(2)}`;
    try {
      this.#writable ??= this.#prepareFolder();
      if (!this.#writable) return;
      const wide = /[^\0-\xff]/.test(text) ? 1 : 0;
      const bytes = Buffer.from(text, wide === 1 ? 'utf16le' : 'latin1');
      const header = new Uint32Array(HEADER_WORDS);
      header.set([MAGIC, payload.length, bytes.length, wide, ...key, ...keyOfBytes(payload), ...keyOfBytes(bytes, wide)]);
      const fd = openSync(temporary, 'wx', 0o600);
      try {
        const written = writevSync(fd, [header, payload, bytes]);
        if (written !== HEADER_BYTES + payload.length + bytes.length) throw new Error('short write');
      } finally {
        closeQuietly(fd);
      }
      renameSync(temporary, path);
    } catch {
      this.#writable = false;
      try {
        unlinkSync(temporary);
      } catch {
        // It was never made, or the disk refuses this too.
      }
    }
  }

  #path(key: ContentKey): string {
    return join(this.#folder, keyToHex(key));
  }

  #prepareFolder(): boolean {
    makeFolder(this.#folder);
    const stat = lstatSync(this.#folder);
    return stat.isDirectory() && stat.uid === this.#uid;
  }
}

const hasKey = (header: Uint32Array, at: number, key: ContentKey): boolean =>
  header[at] === key[0] && header[at + 1] === key[1] && header[at + 2] === key[2] && header[at + 3] === key[3];

const readWhole = (fd: number, into: NodeJS.ArrayBufferView, position: number): boolean =>
  readSync(fd, into, 0, into.byteLength, position) === into.byteLength;

const closeQuietly = (fd: number): void => {
  try {
    closeSync(fd);
  } catch {
    // The entry was read or not; nothing depends on closing.
  }
};
