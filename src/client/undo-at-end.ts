import { MAX_READ_BYTES, type SessionOpenFlags, type UndoStep } from '../base/session-protocol.js';
import { FileSession } from './file-session.js';

const READING: SessionOpenFlags = { read: true, write: false, truncate: false, append: false, nonblock: false };

/**
 * What a client has changed in a process and must undo. The process itself undoes it when the client is killed: the write that
 * was added last comes first.
 */
export class UndoAtEnd {
  /** Resolves when the process has ended. */
  readonly ended: Promise<void>;
  readonly #session: FileSession;
  #steps: readonly UndoStep[] = [];

  private constructor(session: FileSession) {
    this.#session = session;
    this.ended = session.ended;
  }

  /** ENODEV if no process listens there. */
  static async connect(socketPath: string): Promise<UndoAtEnd> {
    return new UndoAtEnd(await FileSession.connect(socketPath));
  }

  /** Makes a directory, which is removed at the end. */
  async mkdir(path: string): Promise<void> {
    await this.#session.request('mkdir', { path, temporary: true });
  }

  /** A write that is made at the end. */
  async add(step: UndoStep): Promise<void> {
    const steps = [step, ...this.#steps];
    await this.#session.request('undo', { steps });
    this.#steps = steps;
  }

  /**
   * The bytes of a file that waits for more, as they come, until `signal` aborts. It is closed before anything is undone, also if
   * the client is killed.
   */
  async *follow(path: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const session = this.#session;
    const { handle } = await session.request('open', { path, flags: READING, pid: process.pid, comm: 'fentry' });
    try {
      for (;;) {
        const { body } = await session.request('read', { handle, size: MAX_READ_BYTES }, { signal });
        if (body.length === 0) return;
        yield body;
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      await session.request('release', { handle }).catch(() => {});
    }
  }

  /** The client has made all writes itself. */
  async clear(): Promise<void> {
    this.#steps = [];
    await this.#session.request('undo', { steps: [] }).catch(() => {});
  }

  /** Ends the session: what is left is undone. */
  close(): void {
    this.#session.close();
  }
}
