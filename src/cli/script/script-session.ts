import { TraceError } from '../../base/errno.js';
import { FileSession } from '../../client/file-session.js';
import { isGone } from '../is-gone.js';

/** Bytes of one read of what a script prints. */
const READ_BYTES = 1 << 16;

const READ = { read: true, write: false, truncate: false, append: false, nonblock: false } as const;
const WRITE = { read: false, write: true, truncate: true, append: false, nonblock: false } as const;

/** A script in a process, by its files only. It ends with the session, also when this command is killed. */
export class ScriptSession {
  readonly #session: FileSession;
  readonly #folder: string;
  readonly #caller: { readonly pid: number; readonly comm: string };

  private constructor(session: FileSession, folder: string, comm: string) {
    this.#session = session;
    this.#folder = folder;
    this.#caller = { pid: process.pid, comm };
  }

  /** Makes room for a script in a process. ENODEV if no process listens there. */
  static async open(socketPath: string, language: string): Promise<ScriptSession> {
    const session = await FileSession.connect(socketPath);
    const folder = `scripts/${language}-${process.pid}`;
    return begun(session, session.request('mkdir', { path: folder, temporary: true }), () => {
      return new ScriptSession(session, folder, language);
    });
  }

  /**
   * A script that the process has begun by itself. It ends with this session, too.
   * @param name its directory's
   */
  static async join(socketPath: string, language: string, name: string): Promise<ScriptSession> {
    const session = await FileSession.connect(socketPath);
    const folder = `scripts/${name}`;
    return begun(session, session.request('undo', { steps: [{ path: `${folder}/status`, text: 'exit' }] }), () => {
      return new ScriptSession(session, folder, language);
    });
  }

  /** Compiles and begins the script. @throws TraceError EINVAL if it is refused: `messages` says why */
  start(source: string): Promise<void> {
    return this.#write('source', source);
  }

  /** Asks the script to end; its `end` handlers run, and its output comes to its end. */
  async exit(): Promise<void> {
    // It may have ended by itself meanwhile.
    await this.#write('status', 'exit').catch(() => {});
  }

  /** The whole text of a file. */
  async read(name: string): Promise<string> {
    let text = '';
    await this.follow(name, (bytes) => {
      text += Buffer.from(bytes).toString();
    });
    return text;
  }

  /** Takes what a file has until its end, or that of the process or the session; returns whether it was the file's. */
  async follow(name: string, take: (bytes: Uint8Array) => void | Promise<void>): Promise<boolean> {
    try {
      const { handle } = await this.#session.request('open', { path: `${this.#folder}/${name}`, flags: READ, ...this.#caller });
      for (;;) {
        const { body } = await this.#session.request('read', { handle, size: READ_BYTES });
        if (body.length === 0) break;
        await take(body);
      }
      await this.#session.request('release', { handle }).catch(() => {});
      return true;
    } catch (error) {
      if (!isGone(error)) throw error;
      return false;
    }
  }

  /** Resolves when the process has ended, or the session. */
  get ended(): Promise<void> {
    return this.#session.ended;
  }

  /** The process removes the script, which ends it. */
  close(): void {
    this.#session.close();
  }

  async #write(name: string, text: string): Promise<void> {
    const { handle } = await this.#session.request('open', { path: `${this.#folder}/${name}`, flags: WRITE, ...this.#caller });
    try {
      await this.#session.request('write', { handle }, { body: Buffer.from(text) });
    } finally {
      await this.#session.request('release', { handle }).catch(() => {});
    }
  }
}

/** What `make` makes when the process has answered. A refused session is closed: it would keep this command. */
async function begun(session: FileSession, answer: Promise<unknown>, make: () => ScriptSession): Promise<ScriptSession> {
  try {
    await answer;
    return make();
  } catch (error) {
    session.close();
    throw error;
  }
}

/** Whether a write of `source` was refused because of the script. */
export const isRefusal = (error: unknown): boolean => error instanceof TraceError && error.errno === 'EINVAL';
