import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { TraceDatError } from './trace-dat-error.js';

/** The size of one read. */
const MOST_AT_ONCE = 2 ** 31 - 1;

/** A file that is read at given offsets; errors have the offset and what was expected. */
export class InFile {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  readonly #fd: number;

  /** Throws TraceDatError if it cannot be opened or is not a regular file. */
  constructor(path: string) {
    this.path = path;
    let fd: number | undefined;
    try {
      fd = openSync(path, 'r');
      const stat = fstatSync(fd);
      if (!stat.isFile()) throw new TraceDatError(path, undefined, 'it is not a regular file');
      this.size = stat.size;
      this.#fd = fd;
    } catch (error) {
      if (fd !== undefined) closeSync(fd);
      throw TraceDatError.from(error, path, 'cannot be read');
    }
  }

  /** Exactly `length` bytes from `offset`. Throws TraceDatError when the file ends before. */
  read(offset: number, length: number, what: string): Buffer {
    if (length > this.size - offset) {
      const there = Math.max(0, this.size - offset);
      throw this.error(offset, `expected ${what} of ${length} bytes, but the file ends after ${there}`);
    }
    if (length > MOST_AT_ONCE) throw this.error(offset, `expected ${what}, found ${length} bytes, more than can be held`);
    const bytes = Buffer.allocUnsafe(length);
    this.readInto(bytes, 0, length, offset);
    return bytes;
  }

  /** Up to `length` bytes into `target` at `at`; returns how many there were. */
  readInto(target: Uint8Array, at: number, length: number, offset: number): number {
    let done = 0;
    while (done < length) {
      const got = readSync(this.#fd, target, at + done, length - done, offset + done);
      if (got === 0) break;
      done += got;
    }
    return done;
  }

  error(offset: number | undefined, problem: string): TraceDatError {
    return new TraceDatError(this.path, offset, problem);
  }

  close(): void {
    closeSync(this.#fd);
  }
}
