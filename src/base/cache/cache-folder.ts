import { join } from 'node:path';
import { makeFolder } from '../make-folder.js';
import { privateFolder, trustedFolder } from '../private-folder.js';
import { constants, existsSync, openSync, readdirSync, renameSync, unlinkSync, writevSync } from '../untraced-fs.js';
import { evictOldest } from './cache-eviction.js';
import { closeQuietly, isPrivateFile, isTrustedFile, openPrivate, type PrivateFile } from './open-private.js';

const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW } = constants;
const APPENDING = O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW;

/** Writes to a file, and closes it. Throws if not all of it could be written. */
function writeAll(fd: number, parts: readonly NodeJS.ArrayBufferView[]): void {
  try {
    const bytes = parts.reduce((sum, part) => sum + part.byteLength, 0);
    if (writevSync(fd, parts) !== bytes) throw new Error('short write');
  } finally {
    closeQuietly(fd);
  }
}

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

  /** Whether there is a file of this name. Where there is none this takes less time than opening it. */
  has(name: string): boolean {
    return this.#usable !== '' && existsSync(`${this.#usable}/${name}`);
  }

  /** The names of all files. */
  names(): readonly string[] {
    try {
      return this.#usable === '' ? [] : readdirSync(this.#usable);
    } catch {
      return [];
    }
  }

  get #usable(): string {
    this.#checked ??= (this.#isPrepared ? trustedFolder : privateFolder)(this.path, this.#uid) ?? '';
    return this.#checked;
  }

  #open<T>(name: string, mode: number, use: (file: PrivateFile) => T | undefined): T | undefined {
    if (this.#usable === '') return undefined;
    return openPrivate(`${this.#usable}/${name}`, mode, this.#uid, use, this.#isPrepared ? isTrustedFile : isPrivateFile);
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
      writeAll(openSync(temporary, 'wx', 0o600), parts);
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

  /**
   * Appends to a file, which is made if there is none, and which nobody else writes to. Returns whether all of it was written; a
   * failure is silent and ends writing for this process.
   */
  append(name: string, parts: readonly NodeJS.ArrayBufferView[]): boolean {
    if (!this.isWritable) return false;
    try {
      writeAll(openSync(join(this.#checked as string, name), APPENDING, 0o600), parts);
      return true;
    } catch {
      this.#writable = false;
      return false;
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
