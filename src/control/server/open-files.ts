import { TraceError } from '../../base/errno.js';
import type { FileHandle } from '../tracefs/node.js';
import { OpenFile, type Room } from './open-file.js';

/** More open files than this are a client's mistake. */
const MOST_FILES = 4096;

/** The open files of a session, by number. */
export class OpenFiles {
  readonly #files = new Map<number, OpenFile>();
  readonly #room: Room;
  #opening = 0;
  #next = 1;

  constructor(room: Room) {
    this.#room = room;
  }

  /** Opens a file. ENOMEM if there are too many. */
  async open(open: () => FileHandle | Promise<FileHandle>): Promise<number> {
    if (this.#files.size + this.#opening >= MOST_FILES) throw new TraceError('ENOMEM', `more than ${MOST_FILES} open files`);
    this.#opening++;
    try {
      const file = new OpenFile(await open(), this.#room);
      this.#files.set(this.#next, file);
      return this.#next++;
    } finally {
      this.#opening--;
    }
  }

  get(number: number): OpenFile {
    const file = this.#files.get(number);
    if (file === undefined) throw new TraceError('EBADF');
    return file;
  }

  release(number: number): Promise<void> {
    const file = this.get(number);
    this.#files.delete(number);
    return file.release();
  }

  /** Closes all, in the order in which they were opened. */
  async releaseAll(): Promise<void> {
    for (const number of [...this.#files.keys()]) await this.release(number).catch(() => {});
  }
}
