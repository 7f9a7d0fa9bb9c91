import { join } from 'node:path';
import { makeFolder } from '../make-folder.js';
import { privateFolder, trustedFolder } from '../private-folder.js';
import { constants, openSync, renameSync, unlinkSync, writevSync } from '../untraced-fs.js';
import { evictOldest } from './cache-eviction.js';
import { closeQuietly, isPrivateFile, isTrustedFile, openPrivate, type PrivateFile } from './open-private.js';

/**
 * The files of the transform cache. One is read only when it is this user's own and the folder one that no other user can put
 * a file into: code is run from it. Nothing that goes wrong with the disk reaches the program.
 *
 * The folder belongs to one build of fentry (another build reads other files); it is made when first written to. That of a
 * prepared cache may be root's, and is never written to.
 */
export class CacheFolder {
  readonly path: string;
  readonly #uid: number;
  readonly #isPrepared: boolean;
  /** The folder's path without links; '' for one that must not be used. */
  #checked: string | undefined;
  #writable: boolean | undefined;

  constructor(path: string, isPrepared = false) {
    this.path = path;
    this.#isPrepared = isPrepared;
    this.#uid = process.geteuid?.() ?? 0;
  }

  /** What `read` makes of the file of this name; undefined when there is none that may be used, or `read` throws. */
  read<T>(name: string, read: (file: PrivateFile) => T | undefined): T | undefined {
    return this.#open(name, constants.O_RDONLY, read);
  }

  /** Opens a file that can be written to, changes it and closes it. */
  change<T>(name: string, change: (file: PrivateFile) => T | undefined): T | undefined {
    return this.#open(name, constants.O_RDWR, change);
  }

  #open<T>(name: string, mode: number, use: (file: PrivateFile) => T | undefined): T | undefined {
    this.#checked ??= (this.#isPrepared ? trustedFolder : privateFolder)(this.path, this.#uid) ?? '';
    if (this.#checked === '') return undefined;
    return openPrivate(`${this.#checked}/${name}`, mode, this.#uid, use, this.#isPrepared ? isTrustedFile : isPrivateFile);
  }

  /** Whether files can be stored, as far as is known. */
  get isWritable(): boolean {
    try {
      this.#writable ??= this.#prepare();
    } catch {
      this.#writable = false;
    }
    return this.#writable;
  }

  /** Stores a file. Other processes see the whole of it or none; a failure is silent and ends writing for this process. */
  write(name: string, parts: readonly NodeJS.ArrayBufferView[]): void {
    if (!this.isWritable) return;
    let temporary: string | undefined;
    try {
      const path = join(this.#checked as string, name);
      temporary = `${path}.${process.pid}.${Math.random().toString(36).slice(2)}`;
      const fd = openSync(temporary, 'wx', 0o600);
      try {
        const bytes = parts.reduce((sum, part) => sum + part.byteLength, 0);
        if (writevSync(fd, parts) !== bytes) throw new Error('short write');
      } finally {
        closeQuietly(fd);
      }
      renameSync(temporary, path);
    } catch {
      this.#writable = false;
      try {
        if (temporary !== undefined) unlinkSync(temporary);
      } catch {
        // It was never made, or the disk refuses this too.
      }
    }
  }

  #prepare(): boolean {
    if (this.#isPrepared) return false;
    makeFolder(this.path);
    this.#checked = privateFolder(this.path, this.#uid) ?? '';
    if (this.#checked === '') return false;
    evictOldest(this.#checked);
    return true;
  }
}
