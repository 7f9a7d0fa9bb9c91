import { asTraceError, TraceError } from '../../base/errno.js';
import type { SessionFrame } from '../../base/session-frames.js';
import type { TraceDirectory } from '../tracefs/node.js';
import { type Arguments, numberArgument } from './arguments.js';
import type { Room } from './open-file.js';
import { OpenFiles } from './open-files.js';
import { type Answer, OPERATIONS } from './operations.js';
import { UndoSteps } from './undo-steps.js';

/** More requests at a time than this are a client's mistake. */
const MOST_REQUESTS = 4096;

/** Sends a message to the client. */
export type Send = (header: object, body?: Uint8Array) => void;

/**
 * One client's open files and requests. Requests are begun in the order in which they come. A release holds up those
 * after it until it has taken effect, as if the client's close(2) had waited for it.
 */
export class Session {
  readonly #root: TraceDirectory;
  readonly #send: Send;
  readonly #files: OpenFiles;
  readonly #undo: UndoSteps;
  readonly #requests = new Map<number, AbortController>();
  /** Settles when the next request may begin; undefined if it may begin at once. */
  #releasing: Promise<void> | undefined;

  constructor(root: TraceDirectory, send: Send, room: Room) {
    this.#root = root;
    this.#send = send;
    this.#files = new OpenFiles(room);
    this.#undo = new UndoSteps(root);
  }

  /** Takes a request; its answer is sent when it is there. Throws when the message is no request at all. */
  receive({ header, body }: SessionFrame): void {
    const id = numberArgument(header, 'id');
    const { op } = header;
    if (op === 'cancel') {
      this.#requests.get(numberArgument(header, 'request'))?.abort();
      return;
    }
    if (this.#requests.has(id)) throw new TraceError('EINVAL', `there is already a request ${id}`);
    if (this.#requests.size >= MOST_REQUESTS) throw new TraceError('ENOMEM', `more than ${MOST_REQUESTS} requests`);
    const request = new AbortController();
    this.#requests.set(id, request);
    const run = (): Promise<void> => this.#run(id, header, body, request);
    const running = this.#releasing === undefined ? run() : this.#releasing.then(run);
    if (op === 'release') this.#holdUp(running);
  }

  /** The client has disconnected: waiting requests end, all files are closed, and what it wants undone is undone. */
  async close(): Promise<void> {
    for (const request of this.#requests.values()) request.abort();
    await this.#releasing;
    await this.#files.releaseAll();
    await this.#undo.end();
  }

  #holdUp(running: Promise<void>): void {
    const releasing = running.then(() => {
      if (this.#releasing === releasing) this.#releasing = undefined;
    });
    this.#releasing = releasing;
  }

  async #run(id: number, header: Arguments, body: Uint8Array, request: AbortController): Promise<void> {
    try {
      const answer = await this.#answer({ header, body }, request);
      this.#send({ id, ...answer?.header }, answer?.body);
    } catch (thrown) {
      const { errno, message } = asTraceError(thrown);
      this.#send({ id, errno, message });
    } finally {
      this.#requests.delete(id);
    }
  }

  #answer({ header, body }: SessionFrame, request: AbortController): Answer | Promise<Answer | undefined> | undefined {
    const { op } = header;
    if (typeof op !== 'string' || !Object.hasOwn(OPERATIONS, op)) throw new TraceError('ENOSYS', `no operation ${String(op)}`);
    const operation = OPERATIONS[op as keyof typeof OPERATIONS];
    return operation({ root: this.#root, files: this.#files, undo: this.#undo, args: header, body, request });
  }
}
