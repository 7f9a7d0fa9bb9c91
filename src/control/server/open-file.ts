import { TraceError } from '../../base/errno.js';
import type { FileHandle, FileOpener } from '../tracefs/node.js';

/** Resolves when there is room for what a read gives, and it is this reader's turn. */
export type Room = () => Promise<void>;

/** What a read asks for. */
export interface Reading {
  readonly size: number;
  /** Where it begins, if not where the last one ended. */
  readonly offset: number | undefined;
  /** O_NONBLOCK as it is now; undefined: as the file was opened. */
  readonly nonblock: boolean | undefined;
}

/** An open file of a session. Its reads and writes take turns, as they do in the kernel; what waits does so in the file. */
export class OpenFile {
  readonly #handle: FileHandle;
  readonly #room: Room;
  readonly #waiting = new Set<AbortController>();
  #turn: Promise<unknown> = Promise.resolve();

  constructor(handle: FileHandle, room: Room) {
    this.#handle = handle;
    this.#room = room;
  }

  /** @param request ends the wait; the release of the file aborts it, too */
  read({ size, offset, nonblock }: Reading, request: AbortController): Promise<Uint8Array> {
    return this.#interruptibly(request, () =>
      this.#inTurn(async () => {
        await this.#room();
        if (request.signal.aborted) throw new TraceError('EINTR');
        if (offset !== undefined) this.#handle.seek?.(offset);
        return this.#handle.read(size, request.signal, nonblock);
      }),
    );
  }

  write(bytes: Uint8Array, caller?: FileOpener): Promise<void> {
    return this.#inTurn(() => this.#handle.write(bytes, caller));
  }

  flush(): Promise<void> {
    return this.#inTurn(() => this.#handle.flush?.());
  }

  isReadable(): boolean {
    return this.#handle.isReadable?.() ?? true;
  }

  untilReadable(request: AbortController): Promise<void> {
    return this.#interruptibly(request, async () => this.#handle.untilReadable?.(request.signal));
  }

  /** Ends what waits in the file, then closes it. */
  release(): Promise<void> {
    for (const request of this.#waiting) request.abort();
    return this.#inTurn(() => this.#handle.release());
  }

  async #interruptibly<T>(request: AbortController, run: () => Promise<T>): Promise<T> {
    this.#waiting.add(request);
    try {
      return await run();
    } finally {
      this.#waiting.delete(request);
    }
  }

  #inTurn<T>(run: () => T | Promise<T>): Promise<T> {
    const result = this.#turn.then(run);
    this.#turn = result.catch(() => {});
    return result;
  }
}
