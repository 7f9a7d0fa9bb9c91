import { TraceError } from '../base/errno.js';
import type { TraceClient } from '../client/trace-client.js';
import { UndoAtEnd } from '../client/undo-at-end.js';
import { writeFile } from './write-file.js';

/** Settings of a process that a command has changed, and that get their values of before, also if the command is killed. */
export class ChangedSettings {
  readonly #client: TraceClient;
  readonly #undo: UndoAtEnd;
  /** What was there before, the last first. */
  readonly #before: (readonly [path: string, text: string])[] = [];

  private constructor(client: TraceClient, undo: UndoAtEnd) {
    this.#client = client;
    this.#undo = undo;
  }

  /** None yet. ENODEV if the process does not listen. */
  static async begin(client: TraceClient): Promise<ChangedSettings> {
    return new ChangedSettings(client, await UndoAtEnd.connect(client.socketPath));
  }

  /** Resolves when the process has ended. */
  get processEnded(): Promise<void> {
    return this.#undo.ended;
  }

  /** Writes to a file. @param old what it gets in the end; the first one counts */
  async set(path: string, text: string, old: string): Promise<void> {
    if (!this.#before.some(([known]) => known === path)) {
      await this.#undo.add({ path, text: old });
      this.#before.unshift([path, old]);
    }
    await writeFile(this.#client, path, text);
  }

  /** The bytes of a file that waits for more, until `signal` aborts: see UndoAtEnd. */
  follow(path: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    return this.#undo.follow(path, signal);
  }

  /** Gives everything its value of before, the last change first. A process that has ended needs nothing. */
  async restore(): Promise<void> {
    try {
      for (const [path, text] of this.#before.splice(0)) await writeFile(this.#client, path, text);
      await this.#undo.clear();
    } catch (error) {
      // The process does it when the session ends.
      if (!(error instanceof TraceError)) throw error;
    } finally {
      this.close();
    }
  }

  /** Leaves it to the process. */
  close(): void {
    this.#undo.close();
  }
}
