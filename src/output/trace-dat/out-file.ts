import {
  closeSync,
  fsyncSync,
  lstatSync,
  openSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { TraceDatError } from './trace-dat-error.js';

/** How many links in a row the kernel follows. */
const MOST_LINKS = 40;

/**
 * A file that is written beside its final place and renamed when it is complete, so that the name never shows a partial file. A
 * link stays: its target is replaced. Errors of the file system have the file's name and what is left of it.
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
    // A killed process with the same id may have left one.
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
  if (there === undefined) return newFile(path);
  if (!there.isFile() && !there.isDirectory())
    throw new TraceDatError(path, undefined, 'cannot be written: it is not a regular file');
  return realpathSync(path);
}

/** The place of a file that does not exist yet; a link names its place, as for open(2). */
function newFile(path: string): string {
  let place = path;
  for (let links = 0; links < MOST_LINKS; links++) {
    if (lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return place;
    place = resolve(dirname(place), readlinkSync(place));
  }
  return path;
}
