import { closeSync, openSync, writeSync } from 'node:fs';
import { visible } from '../../base/visible.js';
import { UsageError } from '../verb.js';

/** Where tables go: stderr, because stdout belongs to the command; or a file. */
export class StatOutput {
  readonly #fd: number;

  /** UsageError if the file cannot be written. */
  constructor(file: string | undefined) {
    try {
      this.#fd = file === undefined ? 2 : openSync(file, 'w', 0o666);
    } catch (error) {
      throw new UsageError(`-o ${file} cannot be written: ${(error as Error).message}`);
    }
  }

  print(text: string): void {
    writeSync(this.#fd, this.#fd === 2 && process.stderr.isTTY ? visible(text) : text);
  }

  close(): void {
    if (this.#fd !== 2) closeSync(this.#fd);
  }
}
