import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { TraceError } from '../../base/errno.js';
import { openRefusal, writeRefusal } from './access.js';

/** The memory of another process, through /proc/PID/mem: all that is mapped can be read, and text can be written. */
export class ProcessMemory {
  readonly pid: number;
  readonly #fd: number;

  /** @throws TraceError EACCES, EPERM or ESRCH when the system does not let this process in: which rule forbids it */
  constructor(pid: number) {
    this.pid = pid;
    try {
      this.#fd = openSync(`/proc/${pid}/mem`, 'r+');
    } catch (error) {
      throw openRefusal(pid, error as NodeJS.ErrnoException);
    }
  }

  /** @throws TraceError EIO when not all of it is mapped, ESRCH when the process has ended */
  read(address: number, length: number): Uint8Array {
    const bytes = new Uint8Array(length);
    for (let done = 0; done < length; ) {
      const more = this.#attempt(() => readSync(this.#fd, bytes, done, length - done, address + done));
      if (more === 0) throw this.#gone();
      done += more;
    }
    return bytes;
  }

  /**
   * Writes at once what lies in one page; text and what is read-only too: then the process gets a copy of the page of its own.
   * When the process has ended, or runs another program, nothing is written.
   * @throws TraceError EIO when not all of it is mapped or the system does not allow it
   */
  write(address: number, bytes: Uint8Array): void {
    for (let done = 0; done < bytes.length; ) {
      const more = this.#attempt(
        () => writeSync(this.#fd, bytes, done, bytes.length - done, address + done),
        (error) => writeRefusal(this.pid, error),
      );
      if (more === 0) return;
      done += more;
    }
  }

  close(): void {
    closeSync(this.#fd);
  }

  #attempt(run: () => number, refused = (error: NodeJS.ErrnoException) => new TraceError('EIO', error.message)): number {
    try {
      return run();
    } catch (error) {
      throw refused(error as NodeJS.ErrnoException);
    }
  }

  /** The memory of an ended process reads as empty. */
  #gone(): TraceError {
    return new TraceError('ESRCH', `process ${this.pid} has ended`);
  }
}
