import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';

/**
 * A file written beside its final place and renamed there when complete, so that the name never
 * shows a part of a file. Errors of the filesystem come out with the file's name and what is left of it.
 */
export class OutFile {
  readonly #path: string;
  readonly #part: string;
  readonly #fd: number;
  #position = 0;
  #closed = false;

  constructor(path: string) {
    this.#path = path;
    this.#part = `${path}.${process.pid}.part`;
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
