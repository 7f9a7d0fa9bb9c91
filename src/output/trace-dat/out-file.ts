import { closeSync, fsyncSync, openSync, realpathSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { TraceDatError } from './trace-dat-error.js';

/**
 * A file written beside its final place and renamed there when complete, so that the name never
 * shows a part of a file. A link stays: what it names is replaced. Errors of the filesystem come out with the file's name and what is left of it.
 */
export class OutFile {
  readonly #path: string;
  readonly #part: string;
  readonly #fd: number;
  #position = 0;
  #closed = false;

  constructor(path: string) {
    this.#path = regularFile(path);
    this.#part = `${this.#path}.${process.pid}.part`;
    // A process of the same id may have left one when it was killed.
    rmSync(this.#part, { force: true });
    this.#fd = openSync(this.#part, 'wx', 0o600);
  }

  get position(): number {
    return this.#position;
  }

  write(bytes: Uint8Array): void {
    this.#writeAt(bytes, this.#position);
    this.#position += bytes.length;
  }

  /** Writes over what is there already. */
  patch(bytes: Uint8Array, position: number): void {
    this.#writeAt(bytes, position);
  }

  #writeAt(bytes: Uint8Array, position: number): void {
    for (let done = 0; done < bytes.length; ) {
      done += writeSync(this.#fd, bytes, done, bytes.length - done, position + done);
    }
  }

  /** Puts the file at its place. */
  commit(): void {
    fsyncSync(this.#fd);
    this.#close();
    renameSync(this.#part, this.#path);
  }

  /** Removes what was written. */
  discard(): void {
    this.#close();
    rmSync(this.#part, { force: true });
  }

  #close(): void {
    if (this.#closed) return;
    this.#closed = true;
    closeSync(this.#fd);
  }
}

/** Where the file is, or will be. A device or a pipe would be replaced by a file: TraceDatError. */
function regularFile(path: string): string {
  const there = statSync(path, { throwIfNoEntry: false });
  if (there === undefined) return path;
  if (!there.isFile() && !there.isDirectory())
    throw new TraceDatError(path, undefined, 'cannot be written: it is no regular file');
  return realpathSync(path);
}
