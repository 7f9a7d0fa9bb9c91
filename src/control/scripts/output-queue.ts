import { TraceError } from '../../base/errno.js';
import type { FileHandle, OpenFlags, TraceFile } from '../tracefs/node.js';

const encoder = new TextEncoder();
const NONE = new Uint8Array(0);

/** What a script prints, until someone reads it. */
export class OutputQueue {
  readonly #pieces: Uint8Array[] = [];
  readonly #waiting = new Set<() => void>();
  #bytes = 0;
  #isOver = false;
  /** A reader was told that it is over. */
  #hasEnded = false;
  #readers = 0;
  #isRead = false;

  /** Whether someone reads it, or has read it to its end. */
  get isRead(): boolean {
    return this.#isRead;
  }

  /** Whether who reads it has not read all yet. */
  get isAwaited(): boolean {
    return this.#readers > 0 && !this.#hasEnded;
  }

  /** A reader has come; returns what is called when it goes. */
  open(): () => void {
    this.#readers++;
    this.#isRead = true;
    return () => {
      this.#readers--;
    };
  }

  /** Bytes that nobody has read. */
  get bytes(): number {
    return this.#bytes;
  }

  put(text: string): void {
    if (text === '') return;
    const piece = encoder.encode(text);
    this.#pieces.push(piece);
    this.#bytes += piece.length;
    this.#wake();
  }

  /** Nothing more comes: who has read all is at the end of the file. */
  end(): void {
    this.#isOver = true;
    this.#wake();
  }

  /** Begins anew. */
  reset(): void {
    this.#hasEnded = false;
    this.#pieces.length = 0;
    this.#bytes = 0;
    this.#isOver = false;
  }

  /** Whether a read would return at once. */
  get isReadable(): boolean {
    return this.#bytes > 0 || this.#isOver;
  }

  /** Up to `size` bytes; none if there are none now. */
  take(size: number): Uint8Array {
    const first = this.#pieces[0];
    if (first === undefined) {
      this.#hasEnded = this.#isOver;
      return NONE;
    }
    const taken = first.subarray(0, size);
    if (taken.length === first.length) this.#pieces.shift();
    else this.#pieces[0] = first.subarray(size);
    this.#bytes -= taken.length;
    return taken;
  }

  /** Resolves when a read would return. EINTR when the signal aborts it. */
  async untilReadable(signal: AbortSignal | undefined): Promise<void> {
    while (!this.isReadable) {
      if (signal?.aborted) throw new TraceError('EINTR');
      await this.#changed(signal);
    }
  }

  #changed(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        this.#waiting.delete(done);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      this.#waiting.add(done);
      signal?.addEventListener('abort', done);
    });
  }

  #wake(): void {
    for (const done of [...this.#waiting]) done();
  }
}

class OutputHandle implements FileHandle {
  readonly #queue: OutputQueue;
  readonly #flags: OpenFlags;
  readonly #closed: () => void;

  constructor(queue: OutputQueue, flags: OpenFlags) {
    this.#queue = queue;
    this.#flags = flags;
    this.#closed = queue.open();
  }

  async read(size: number, signal?: AbortSignal, nonblock = this.#flags.nonblock): Promise<Uint8Array> {
    if (nonblock && !this.#queue.isReadable) throw new TraceError('EAGAIN');
    await this.#queue.untilReadable(signal);
    return this.#queue.take(size);
  }

  isReadable(): boolean {
    return this.#queue.isReadable;
  }

  untilReadable(signal: AbortSignal): Promise<void> {
    return this.#queue.untilReadable(signal);
  }

  write(): void {
    throw new TraceError('EINVAL', 'this file can only be read');
  }

  release(): void {
    this.#closed();
  }
}

/** A file that shows what is printed as trace_pipe does: a read takes it away, and waits if there is nothing, until the end. */
export const outputFile = (queue: OutputQueue): TraceFile => ({
  kind: 'file',
  mode: 0o440,
  open: (flags) => new OutputHandle(queue, flags),
});
