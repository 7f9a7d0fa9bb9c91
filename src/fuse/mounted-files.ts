import { TraceError } from '../base/errno.js';
import type { SessionOpenFlags } from '../base/session-protocol.js';

/** A file that the kernel holds open. */
export interface MountedFile {
  /** The file's number in the session. */
  readonly handle: number;
  readonly path: string;
  readonly flags: SessionOpenFlags;
  /** Whether its bytes have no offsets, like those of a pipe. */
  readonly isStream: boolean;
  /** Where the last read ended. */
  position: number;
  /** Bytes by which the kernel's place is ahead of the file's: those of writes that leave the place where it was. */
  ahead: number;
  /** Whether it is read in pages of a ring buffer. */
  readonly isRaw: boolean;
  /** Whether poll(2) was used: then a read does not wait. */
  isPolled: boolean;
  /** Ends the wait for the next change of a poll's answer. */
  waiting: AbortController | undefined;
}

/** The open files of a mount, by the numbers that the kernel knows them by. */
export class MountedFiles {
  readonly #files = new Map<number, MountedFile>();
  #next = 1;

  /** @returns its number */
  add(file: MountedFile): number {
    this.#files.set(this.#next, file);
    return this.#next++;
  }

  get(fh: number): MountedFile {
    const file = this.#files.get(fh);
    if (file === undefined) throw new TraceError('EBADF');
    return file;
  }

  remove(fh: number): MountedFile {
    const file = this.get(fh);
    this.#files.delete(fh);
    return file;
  }
}
