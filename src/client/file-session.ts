import { request as httpRequest } from 'node:http';
import type { Socket } from 'node:net';
import { basename } from 'node:path';
import { ERRNO, type Errno, TraceError } from '../base/errno.js';
import { encodeFrame, FrameReader, type SessionFrame } from '../base/session-frames.js';
import { SESSION_UPGRADE, type SessionOperation, type SessionOperations } from '../base/session-protocol.js';
import { pidOfSocket } from '../base/socket-directory.js';
import { whileAwaiting } from './stopped-process.js';

/** What goes with a request. */
export interface RequestExtras {
  /** The bytes of a write. */
  readonly body?: Uint8Array | undefined;
  /** Cancels it: it then ends with EINTR, or with its answer if that was already on its way. */
  readonly signal?: AbortSignal | undefined;
}

/** An answer: its members, and the bytes of a read. */
export type SessionAnswer<Op extends SessionOperation> = SessionOperations[Op]['answer'] & { readonly body: Uint8Array };

interface Pending {
  resolve(frame: SessionFrame): void;
  reject(error: TraceError): void;
}

/**
 * A file session with one process: open files that are read and written as through the kernel's VFS, over one connection.
 * Every request rejects with a TraceError: the file's own, or ENODEV once the process has ended.
 */
export class FileSession {
  /** Resolves when the process has ended, or the session was closed. */
  readonly ended: Promise<void>;
  readonly #socket: Socket;
  readonly #socketPath: string;
  readonly #pending = new Map<number, Pending>();
  readonly #reader = new FrameReader();
  #lastId = 0;

  private constructor(socket: Socket, head: Uint8Array, socketPath: string) {
    this.#socket = socket;
    this.#socketPath = socketPath;
    socket.on('error', () => socket.destroy());
    socket.on('data', (piece: Buffer) => this.#receive(piece));
    this.ended = new Promise((resolve) => {
      socket.on('close', () => {
        for (const { reject } of this.#pending.values()) reject(hasEnded());
        this.#pending.clear();
        resolve();
      });
    });
    if (head.length > 0) this.#receive(head);
  }

  /** Opens a session through the socket of a process. ENODEV if no process listens there. */
  static connect(socketPath: string): Promise<FileSession> {
    return new Promise((resolve, reject) => {
      const headers = { connection: 'Upgrade', upgrade: SESSION_UPGRADE };
      const answered = awaiting(socketPath);
      const sent = httpRequest({ socketPath, path: '/', headers, agent: false });
      sent.on('close', answered);
      sent.on('upgrade', (_answer, socket, head) => {
        answered();
        resolve(new FileSession(socket, head, socketPath));
      });
      sent.on('response', (answer) => {
        answer.destroy();
        reject(new TraceError('EOPNOTSUPP', `the process answers with ${answer.statusCode}: its fentry has no file sessions`));
      });
      sent.on('error', () => reject(hasEnded()));
      sent.end();
    });
  }

  /** Asks for one operation. */
  request<Op extends Exclude<SessionOperation, 'cancel'>>(
    op: Op,
    args: SessionOperations[Op]['request'],
    { body, signal }: RequestExtras = {},
  ): Promise<SessionAnswer<Op>> {
    if (this.#socket.destroyed) return Promise.reject(hasEnded());
    const id = ++this.#lastId;
    this.#send({ id, op, ...args }, body);
    const noLongerAwaiting = awaiting(this.#socketPath);
    const cancel = (): void => this.#send({ id: ++this.#lastId, op: 'cancel', request: id });
    signal?.addEventListener('abort', cancel, { once: true });
    return new Promise<SessionAnswer<Op>>((resolve, reject) => {
      const answered = (): void => {
        this.#pending.delete(id);
        noLongerAwaiting();
        signal?.removeEventListener('abort', cancel);
      };
      this.#pending.set(id, {
        resolve({ header, body }) {
          answered();
          if (typeof header['errno'] === 'string') reject(errorOf(header['errno'], header['message']));
          else resolve({ ...header, body } as unknown as SessionAnswer<Op>);
        },
        reject(error) {
          answered();
          reject(error);
        },
      });
      if (signal?.aborted) cancel();
    });
  }

  /** Ends the session; the process closes what is open. */
  close(): void {
    this.#socket.destroy();
  }

  #send(header: object, body?: Uint8Array): void {
    if (this.#socket.destroyed) return;
    this.#socket.cork();
    for (const piece of encodeFrame(header, body)) this.#socket.write(piece);
    this.#socket.uncork();
  }

  #receive(piece: Uint8Array): void {
    try {
      for (const frame of this.#reader.push(piece)) this.#pending.get(frame.header['id'] as number)?.resolve(frame);
    } catch {
      this.#socket.destroy();
    }
  }
}

/** Tells the user if the process that a socket belongs to is stopped. Returns a function that ends this. */
function awaiting(socketPath: string): () => void {
  const pid = pidOfSocket(basename(socketPath));
  return pid === undefined ? () => {} : whileAwaiting(pid);
}

const hasEnded = (): TraceError => new TraceError('ENODEV', 'the process has ended');

function errorOf(errno: string, message: unknown): TraceError {
  const known = Object.hasOwn(ERRNO, errno) ? (errno as Errno) : 'EIO';
  return new TraceError(known, typeof message === 'string' ? message : undefined);
}
