import { ERRNO, TraceError } from '../../base/errno.js';
import type { SessionOpenFlags } from '../../base/session-protocol.js';
import type { FileSession } from '../../client/file-session.js';

const READ_BYTES = 65536;
/** A file that waits for data (trace_pipe) is read to where it would wait. */
const READ: SessionOpenFlags = { read: true, write: false, truncate: false, append: false, nonblock: true };
const WRITE: SessionOpenFlags = { read: false, write: true, truncate: false, append: false, nonblock: false };

/** The files of a process as a shell opens them, by paths relative to the tracing directory. */
export class TreeFiles {
  readonly session: FileSession;
  readonly #caller = { pid: process.pid, comm: 'fentry' };

  constructor(session: FileSession) {
    this.session = session;
  }

  /** What is there now. */
  async read(path: string): Promise<Buffer> {
    const parts: Uint8Array[] = [];
    await this.#with(path, READ, async (handle) => {
      for (;;) {
        const part = await this.session.request('read', { handle, size: READ_BYTES }).catch(endWhereItWouldWait);
        if (part.body.length === 0) break;
        parts.push(part.body);
      }
    });
    return Buffer.concat(parts);
  }

  /** `cat path`, on and on, until the signal ends it. */
  async stream(path: string, take: (bytes: Uint8Array) => void, signal: AbortSignal): Promise<void> {
    await this.#with(path, { ...READ, nonblock: false }, async (handle) => {
      while (!signal.aborted) {
        const { body } = await this.session.request('read', { handle, size: READ_BYTES }, { signal });
        if (body.length === 0) return;
        take(body);
      }
    });
  }

  /** `> path`, or `>> path`. */
  write(path: string, bytes: Uint8Array, append: boolean): Promise<void> {
    return this.#with(path, { ...WRITE, append, truncate: !append }, async (handle) => {
      if (bytes.length > 0) await this.session.request('write', { handle }, { body: bytes });
    });
  }

  async #with(path: string, flags: SessionOpenFlags, run: (handle: number) => Promise<void>): Promise<void> {
    const { handle } = await this.session.request('open', { path, flags, ...this.#caller });
    try {
      await run(handle);
    } finally {
      await this.session.request('release', { handle });
    }
  }
}

function endWhereItWouldWait(error: unknown): { body: Uint8Array } {
  if (error instanceof TraceError && error.errno === 'EAGAIN') return { body: new Uint8Array(0) };
  throw error;
}

/** An error in the words of a shell. A file that does not exist cannot be created either. */
export function errorWords(error: unknown, isWrite = false): string {
  if (!(error instanceof TraceError)) return String(error);
  return ERRNO[isWrite && error.errno === 'ENOENT' ? 'EACCES' : error.errno][1];
}
