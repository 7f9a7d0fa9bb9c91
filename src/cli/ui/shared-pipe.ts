import { setTimeout as sleep } from 'node:timers/promises';

/** A reader of a shared pipe. */
export interface PipeReader {
  /** Gets whole lines as they come. */
  take(lines: string): void;
  /** The pipe has ended, with the process, or cannot be read. */
  end(error?: Error): void;
}

/** Opens a file, and gives what comes until the signal aborts; it ends when the file is closed. */
export type OpenPipe = (signal: AbortSignal) => AsyncIterable<Uint8Array>;

/** So many bytes are read at once; then the pipe waits: what nobody can read costs the process nothing. */
const BURST = 1 << 18;
const PAUSE = 250;
/** Milliseconds that a process has to close a file. */
const CLOSING = 2000;

/** A file that gives each line to one reader only, such as trace_pipe, for several readers: each gets all lines. */
export class SharedPipe {
  readonly #open: OpenPipe;
  readonly #readers = new Set<PipeReader>();
  #stop: AbortController | undefined;
  #reading: Promise<void> = Promise.resolve();
  /** How many want it closed. */
  #holds = 0;

  constructor(open: OpenPipe) {
    this.#open = open;
  }

  /** Begins to read; the file is open as long as it has readers. Returns what ends this. */
  follow(reader: PipeReader): () => void {
    this.#readers.add(reader);
    this.#begin();
    return () => {
      if (this.#readers.delete(reader) && this.#readers.size === 0) this.#close();
    };
  }

  /** Does something while the file is closed: a tracer cannot be changed while somebody reads the pipe. */
  async without<T>(work: () => Promise<T>): Promise<T> {
    this.#holds++;
    this.#close();
    await Promise.race([this.#reading, sleep(CLOSING, undefined, { ref: false })]);
    try {
      return await work();
    } finally {
      this.#holds--;
      this.#begin();
    }
  }

  #begin(): void {
    if (this.#stop !== undefined || this.#holds > 0 || this.#readers.size === 0) return;
    const stop = new AbortController();
    this.#stop = stop;
    this.#reading = this.#reading.then(() => this.#read(stop));
  }

  #close(): void {
    this.#stop?.abort();
    this.#stop = undefined;
  }

  async #read(stop: AbortController): Promise<void> {
    if (stop.signal.aborted) return;
    try {
      const decoder = new TextDecoder();
      let rest = '';
      let burst = 0;
      for await (const chunk of this.#open(stop.signal)) {
        const text = rest + decoder.decode(chunk, { stream: true });
        const end = text.lastIndexOf('\n') + 1;
        rest = text.slice(end);
        if (end > 0) for (const reader of [...this.#readers]) reader.take(text.slice(0, end));
        burst += chunk.length;
        if (burst < BURST) continue;
        burst = 0;
        await sleep(PAUSE, undefined, { signal: stop.signal });
      }
      this.#end(stop);
    } catch (error) {
      this.#end(stop, error as Error);
    }
  }

  #end(stop: AbortController, error?: Error): void {
    if (stop.signal.aborted) return;
    this.#stop = undefined;
    for (const reader of [...this.#readers]) {
      this.#readers.delete(reader);
      reader.end(error);
    }
  }
}
