import { closeSync, fstatSync, openSync, realpathSync, renameSync, statSync, unlinkSync } from 'node:fs';
import { visible } from '../../base/visible.js';
import { fdSink, type ReportSink } from '../../output/trace-dat/index.js';
import { byteText } from '../record/progress-line.js';
import { UsageError } from '../verb.js';

/** What is wrong with a disk, in words. */
const DISK_WORDS: Readonly<Record<string, string>> = {
  ENOSPC: 'no space is left on the device',
  EDQUOT: 'the disk quota is exceeded',
  EFBIG: 'the file would be too large',
};

/** A file that was not written; the message says why, and what is there instead. */
class OutputError extends Error {
  readonly code: string;

  constructor(path: string, code: string, words: string) {
    super(`${path} was not written: ${words}`);
    this.code = code;
  }
}

/**
 * A file that is written whole or not at all: what has its name before stays until the end. A device or a pipe is written as it
 * is.
 */
export class FileSink implements ReportSink {
  readonly path: string;
  /** Where it is written; the same as `path` for what is no file. */
  readonly #written: string;
  #sink: ReportSink | undefined;
  #fd = -1;

  constructor(path: string) {
    const there = statSync(path, { throwIfNoEntry: false });
    if (there?.isDirectory()) throw new UsageError(`-o ${path} is a folder: name a file`);
    this.path = path;
    this.#written =
      there !== undefined && !there.isFile() ? path : `${there === undefined ? path : realpathSync(path)}.${process.pid}~`;
  }

  write(bytes: Uint8Array): boolean {
    try {
      this.#sink ??= this.#open();
      return this.#sink.write(bytes);
    } catch (error) {
      throw this.#failed(error as NodeJS.ErrnoException);
    }
  }

  /** Gives the file its name, and says how large it is. */
  end(): void {
    this.#sink ??= this.#open();
    const { size } = fstatSync(this.#fd);
    closeSync(this.#fd);
    this.#fd = -1;
    if (this.#written !== this.path) renameSync(this.#written, this.#written.replace(/\.\d+~$/, ''));
    process.stderr.write(`fentry: ${visible(this.path)} has ${byteText(size)}\n`);
  }

  /** Removes what was written of a file that has no end. */
  drop(): void {
    if (this.#fd < 0) return;
    closeSync(this.#fd);
    this.#fd = -1;
    if (this.#written !== this.path) unlinkSync(this.#written);
  }

  #open(): ReportSink {
    this.#fd = openSync(this.#written, 'w');
    return fdSink(this.#fd);
  }

  #failed(error: NodeJS.ErrnoException): Error {
    this.drop();
    const { code = '' } = error;
    const words = DISK_WORDS[code];
    return words === undefined ? error : new OutputError(this.path, code, words);
  }
}
