import type { UndoStep } from '../base/session-protocol.js';
import { FileSession } from './file-session.js';

/**
 * What a client has changed in a process and must undo. The process itself undoes it if the client is killed, in the order in
 * which the steps were added, the last first.
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

  async add(step: UndoStep): Promise<void> {
    const steps = [step, ...this.#steps];
    await this.#session.request('undo', { steps });
    this.#steps = steps;
  }

  /** The client has undone everything itself. */
  async clear(): Promise<void> {
    this.#steps = [];
    await this.#session.request('undo', { steps: [] }).catch(() => {});
  }

  /** Ends the session: what is left is undone. */
  close(): void {
    this.#session.close();
  }
}
