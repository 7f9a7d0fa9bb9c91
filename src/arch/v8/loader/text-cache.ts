import * as fs from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../../base/make-folder.js';
import { privateFolder } from '../../../base/private-folder.js';
import { evictOldest } from './cache-eviction.js';
import { type ContentKey, keyOfBytes, keyToHex } from './content-key.js';

const MAGIC = 0x79727466;
const HEADER_WORDS = 16;
const HEADER_BYTES = HEADER_WORDS * 4;
/** Header words. The checks are keys of the entry's contents, so that damage is detected. */
const WORD = { magic: 0, payloadBytes: 1, textBytes: 2, wide: 3, key: 4, payloadCheck: 8, textCheck: 12 } as const;

/** Saved before the program can replace them. */
const { closeSync, constants, fstatSync, openSync, readSync, renameSync, unlinkSync, writevSync } = fs;

/** Opening must not wait for a FIFO in place of an entry. */
const READING = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
/** Permissions of an entry that another user could have written. */
const WRITABLE_BY_OTHERS = 0o022;

/** An entry as it is read. */
export interface CacheEntry {
  readonly payload: Uint8Array<ArrayBuffer>;
  /** The text, if it was wanted and is undamaged. */
  readonly text: string | undefined;
  /** When the entry was written, in milliseconds since 1970. */
  readonly writtenAt: number;
}

/**
 * The result of instrumenting a source, kept on disk under the source's content key: a payload of bytes and a text. Code is run
 * from an entry, so it is used only if it is this user's own, complete, undamaged, and of this key, and if nobody else can
 * write to the folder. Nothing that goes wrong with the disk reaches the program.
 *
 * `folder` belongs to one build of fentry (another build reads other entries); it is created at the first write.
 */
export class TextCache {
  readonly #folder: string;
  readonly #uid: number;
  /** The folder without links; '' if it must not be used. */
  #checked: string | undefined;
  #writable: boolean | undefined;

  constructor(folder: string) {
    this.#folder = folder;
    this.#uid = process.geteuid?.() ?? 0;
  }

  /** The entry under a key. `wantsText` sees the payload and says whether to read the text too. */
  read(key: ContentKey, wantsText: (payload: Uint8Array<ArrayBuffer>) => boolean): CacheEntry | undefined {
    let fd: number | undefined;
    try {
      this.#checked ??= privateFolder(this.#folder, this.#uid) ?? '';
      if (this.#checked === '') return undefined;
      fd = openSync(join(this.#checked, keyToHex(key)), READING);
      const stat = fstatSync(fd);
      if (!stat.isFile() || stat.uid !== this.#uid || (stat.mode & WRITABLE_BY_OTHERS) !== 0) return undefined;
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
      if (stat.size !== HEADER_BYTES + payloadBytes + textBytes) return undefined;
      const payload = new Uint8Array(payloadBytes);
      if (!readWhole(fd, payload, HEADER_BYTES)) return undefined;
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
    let temporary: string | undefined;
    try {
      this.#writable ??= this.#prepareFolder();
      if (!this.#writable) return;
      const path = join(this.#checked as string, keyToHex(key));
      temporary = `${path}.${process.pid}.${Math.random().toString(36).slice(2)}`;
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
        if (temporary !== undefined) unlinkSync(temporary);
      } catch {
        // It was never created, or the disk refuses this too.
      }
    }
  }

  #prepareFolder(): boolean {
    makeFolder(this.#folder);
    this.#checked = privateFolder(this.#folder, this.#uid) ?? '';
    if (this.#checked === '') return false;
    evictOldest(this.#checked);
    return true;
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
    // Nothing depends on closing.
  }
};
