import * as fs from 'node:fs';
import { join } from 'node:path';
import { type ContentKey, keyOfBytes, keyToHex } from './content-key.js';

const MAGIC = 0x79727466;
const HEADER_BYTES = 48;
/** Header words: magic, payload bytes, 2 spare, the text's key, the payload's own key. */
const WORD = { magic: 0, length: 1, key: 4, check: 8 } as const;

const sameKey = (words: Uint32Array, at: number, key: ContentKey): boolean =>
  words[at] === key[0] && words[at + 1] === key[1] && words[at + 2] === key[2] && words[at + 3] === key[3];

/**
 * What instrumenting gave for a text, kept on disk under the text's content key. An entry is used only when it is this
 * user's own, complete, undamaged, and of this key. Nothing that goes wrong with the disk reaches the program.
 *
 * `folder` belongs to one build of fentry (another build reads other entries); it is made when first written to.
 */
export class TextCache {
  readonly #folder: string;
  readonly #uid: number;
  #writable = true;

  constructor(folder: string) {
    this.#folder = folder;
    this.#uid = process.geteuid?.() ?? 0;
  }

  /** The payload stored under a key, at offset 0 of its own ArrayBuffer, or undefined. */
  read(key: ContentKey): Uint8Array<ArrayBuffer> | undefined {
    let fd: number | undefined;
    try {
      fd = fs.openSync(this.#path(key), fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW);
      const stat = fs.fstatSync(fd);
      if (!stat.isFile() || stat.uid !== this.#uid || stat.size < HEADER_BYTES) return undefined;
      const header = new Uint32Array(HEADER_BYTES / 4);
      const payload = new Uint8Array(stat.size - HEADER_BYTES);
      if (fs.readvSync(fd, [header, payload]) !== stat.size) return undefined;
      const usable =
        header[WORD.magic] === MAGIC &&
        header[WORD.length] === payload.length &&
        sameKey(header, WORD.key, key) &&
        sameKey(header, WORD.check, keyOfBytes(payload));
      return usable ? payload : undefined;
    } catch {
      return undefined;
    } finally {
      if (fd !== undefined) closeQuietly(fd);
    }
  }

  /** Stores a payload. Other processes see the whole entry or none; a failure is silent and ends writing for this process. */
  write(key: ContentKey, payload: Uint8Array): void {
    if (!this.#writable) return;
    const path = this.#path(key);
    const temporary = `${path}.${process.pid}.${Math.random().toString(36).slice(2)}`;
    try {
      const header = new Uint32Array(HEADER_BYTES / 4);
      header.set([MAGIC, payload.length], 0);
      header.set(key, WORD.key);
      header.set(keyOfBytes(payload), WORD.check);
      if (!this.#prepareFolder()) return;
      const fd = fs.openSync(temporary, 'wx', 0o600);
      let written = 0;
      try {
        written = fs.writevSync(fd, [header, payload]);
      } finally {
        closeQuietly(fd);
      }
      if (written !== HEADER_BYTES + payload.length) throw new Error('short write');
      fs.renameSync(temporary, path);
    } catch {
      this.#writable = false;
      try {
        fs.unlinkSync(temporary);
      } catch {
        // It was never made, or the disk refuses this too.
      }
    }
  }

  #path(key: ContentKey): string {
    return join(this.#folder, keyToHex(key));
  }

  #prepareFolder(): boolean {
    if (this.#prepared !== undefined) return this.#prepared;
    fs.mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const stat = fs.lstatSync(this.#folder);
    this.#prepared = stat.isDirectory() && stat.uid === this.#uid;
    this.#writable = this.#prepared;
    return this.#prepared;
  }
  #prepared: boolean | undefined;
}

const closeQuietly = (fd: number): void => {
  try {
    fs.closeSync(fd);
  } catch {
    // The entry was read or not; nothing depends on closing.
  }
};
