import { join } from 'node:path';
import { makeFolder } from '../../../base/make-folder.js';
import { closeSync, constants, fstatSync, openSync, renameSync, unlinkSync, writevSync } from '../../../base/own-fs.js';
import { privateFolder } from '../../../base/private-folder.js';
import { evictOldest } from './cache-eviction.js';

/** A FIFO in the place of a file must not be waited for. */
const SAFELY = constants.O_NOFOLLOW | constants.O_NONBLOCK;
/** Permissions of a file that another user could have written. */
const WRITABLE_BY_OTHERS = 0o022;

/** A file that is open for reading. */
export interface OpenFile {
  readonly fd: number;
  /** Bytes. */
  readonly size: number;
  /** When it was written, in milliseconds since 1970. */
  readonly writtenAt: number;
}

/**
 * The files of the transform cache. One is read only when it is this user's own and the folder one that no other user can put
 * a file into: code is run from it. Nothing that goes wrong with the disk reaches the program.
 *
 * The folder belongs to one build of fentry (another build reads other files); it is made when first written to.
 */
export class CacheFolder {
  readonly #path: string;
  readonly #uid: number;
  /** Without links; '' for one that must not be used. */
  #checked: string | undefined;
  #writable: boolean | undefined;

  constructor(path: string) {
    this.#path = path;
    this.#uid = process.geteuid?.() ?? 0;
  }

  /** What `read` makes of the file of this name; undefined when there is none that may be used, or `read` throws. */
  read<T>(name: string, read: (file: OpenFile) => T | undefined): T | undefined {
    return this.#open(name, constants.O_RDONLY, read);
  }

  /** The same of a file that can be written to. */
  change<T>(name: string, change: (file: OpenFile) => T | undefined): T | undefined {
    return this.#open(name, constants.O_RDWR, change);
  }

  #open<T>(name: string, mode: number, use: (file: OpenFile) => T | undefined): T | undefined {
    let fd: number | undefined;
    try {
      this.#checked ??= privateFolder(this.#path, this.#uid) ?? '';
      if (this.#checked === '') return undefined;
      fd = openSync(join(this.#checked, name), mode | SAFELY);
      const stat = fstatSync(fd);
      if (!stat.isFile() || stat.uid !== this.#uid || (stat.mode & WRITABLE_BY_OTHERS) !== 0) return undefined;
      return use({ fd, size: stat.size, writtenAt: stat.mtimeMs });
    } catch {
      return undefined;
    } finally {
      if (fd !== undefined) closeQuietly(fd);
    }
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
    makeFolder(this.#path);
    this.#checked = privateFolder(this.#path, this.#uid) ?? '';
    if (this.#checked === '') return false;
    evictOldest(this.#checked);
    return true;
  }
}

const closeQuietly = (fd: number): void => {
  try {
    closeSync(fd);
  } catch {
    // The file was read or not; nothing depends on closing.
  }
};
