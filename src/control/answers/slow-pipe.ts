import type { SlowTurn } from '../../answers/slow/slow-answer.js';
import { TraceError } from '../../base/errno.js';
import type { FileHandle, OpenFlags } from '../tracefs/node.js';
import type { SlowTurns } from './slow-turns.js';

const encoder = new TextEncoder();
/** Turns that a reader may leave unread; further ones are left out. */
const MOST_UNREAD = 1000;

/** An open file of slow_pipes/: each turn is a line of JSON; a read waits for the next one. */
export class SlowPipe implements FileHandle {
  readonly #flags: OpenFlags;
  readonly #released: () => void;
  readonly #unread: SlowTurn[] = [];
  #rest: Uint8Array = new Uint8Array(0);
  #wake: () => void = () => {};

  constructor(turns: SlowTurns, thresholdMs: number, flags: OpenFlags) {
    this.#flags = flags;
    this.#released = turns.want({
      thresholdMs,
      found: (turn) => {
        if (this.#unread.length < MOST_UNREAD) this.#unread.push(turn);
        this.#wake();
      },
    });
  }

  async read(size: number, signal?: AbortSignal, nonblock = this.#flags.nonblock): Promise<Uint8Array> {
    if (nonblock && !this.isReadable()) throw new TraceError('EAGAIN');
    await this.untilReadable(signal);
    if (this.#rest.length === 0) this.#rest = encoder.encode(`${JSON.stringify(this.#unread.shift())}\n`);
    const part = this.#rest.subarray(0, size);
    this.#rest = this.#rest.subarray(part.length);
    return part;
  }

  isReadable(): boolean {
    return this.#rest.length > 0 || this.#unread.length > 0;
  }

  async untilReadable(signal?: AbortSignal): Promise<void> {
    while (!this.isReadable()) {
      if (signal?.aborted) throw new TraceError('EINTR');
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        signal?.addEventListener('abort', () => resolve(), { once: true });
      });
    }
  }

  write(): void {
    throw new TraceError('EINVAL', 'this file can only be read');
  }

  release(): void {
    this.#released();
  }
}
