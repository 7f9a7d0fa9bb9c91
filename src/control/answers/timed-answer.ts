import { TraceError } from '../../base/errno.js';
import type { FileHandle } from '../tracefs/node.js';
import { ContentReader } from '../tracefs/text-file.js';

/** An open file whose content takes some time: it is asked for when it is read first, until the file is closed. */
export class TimedAnswer implements FileHandle {
  readonly #ask: (closed: AbortSignal) => Promise<string>;
  readonly #closed = new AbortController();
  #reader: Promise<ContentReader> | undefined;

  /** @param ask makes the content; what it has begun ends when the file is closed */
  constructor(ask: (closed: AbortSignal) => Promise<string>) {
    this.#ask = ask;
  }

  async read(size: number, signal?: AbortSignal): Promise<Uint8Array> {
    this.#reader ??= this.#ask(this.#closed.signal).then((content) => new ContentReader(content));
    this.#reader.catch(() => {});
    const reader = await Promise.race([this.#reader, aborted(signal)]);
    return reader.read(size);
  }

  write(): void {
    throw new TraceError('EINVAL', 'this file can only be read');
  }

  release(): void {
    this.#closed.abort();
  }
}

/** Rejects with EINTR when a signal aborts; never settles otherwise. */
export const aborted = (signal: AbortSignal | undefined): Promise<never> =>
  new Promise((_resolve, reject) => {
    const interrupt = (): void => reject(new TraceError('EINTR'));
    if (signal?.aborted) interrupt();
    signal?.addEventListener('abort', interrupt, { once: true });
  });
