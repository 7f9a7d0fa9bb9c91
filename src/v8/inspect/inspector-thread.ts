import { ThreadHolds } from './thread-holds.js';

/** Parameters, or a result, of the inspector's protocol. */
export type InspectorData = Readonly<Record<string, unknown>>;

interface InspectorMessage {
  readonly id?: number;
  readonly method?: string;
  readonly params?: InspectorData;
  readonly result?: InspectorData;
  readonly error?: { readonly message: string };
}

/** A worker that the inspector has found. */
export interface FoundWorker {
  /** Node's number of the thread. */
  readonly thread: number;
  /** The name that the program has given it; '' for none. */
  readonly name: string;
  readonly url: string;
  readonly session: InspectorThread;
}

/** `[worker 3] name`; `Worker 3` in older versions. */
const TITLE = /(\d+)\]?\s*(.*)$/s;

/**
 * An inspector's session with one thread, whatever carries its messages: a connection from another process, a session of another
 * thread of the same process, or a session with the thread that has started the worker.
 */
export class InspectorThread {
  readonly #send: (message: string) => void;
  readonly #waiting = new Map<number, (answer: InspectorMessage | undefined) => void>();
  readonly #listeners = new Map<string, (params: InspectorData) => void>();
  readonly #workers = new Map<string, InspectorThread>();
  readonly #holds: ThreadHolds;
  readonly #thread: number;
  /** Messages that wait until no other session holds the thread. */
  readonly #later: string[] = [];
  #lastId = 0;
  #isClosed = false;

  /**
   * @param send takes messages to the thread
   * @param holds those of the process, if it has other sessions; they wait for each other
   * @param thread Node's number; 0 is the main thread
   */
  constructor(send: (message: string) => void, holds = new ThreadHolds(), thread = 0) {
    this.#send = send;
    this.#holds = holds;
    this.#thread = thread;
  }

  /**
   * Keeps other sessions from the thread until `letGo`, before it is asked to pause; the session must let go, also if it is
   * closed. Returns false if `over` resolves before nobody else holds it, or the session is closed.
   */
  async hold(over: Promise<void>): Promise<boolean> {
    let isOver = false;
    const ended = over.then(() => {
      isOver = true;
    });
    while (this.#holds.isHeld(this.#thread) && !isOver) await Promise.race([this.#holds.free(this.#thread), ended]);
    if (isOver || this.#isClosed) return false;
    this.#holds.take(this.#thread, this);
    return true;
  }

  /** What lets the thread go on has been sent. */
  letGo(): void {
    this.#holds.giveBack(this.#thread, this);
  }

  /**
   * Asks the thread for something. Resolves to the result; undefined if the session is closed before it comes.
   * @throws Error if the inspector refuses
   */
  ask(method: string, params: InspectorData = {}): Promise<InspectorData | undefined> {
    return new Promise((resolve, reject) =>
      this.send(method, params, (error, result) =>
        error === undefined ? resolve(result) : reject(new Error(`${method}: ${error}`)),
      ),
    );
  }

  /**
   * The value of an expression in the thread, as data; undefined if it throws, or the session is closed before it comes.
   * @param more further parameters of Runtime.evaluate
   * @throws Error if the inspector refuses
   */
  async value(expression: string, more: InspectorData = {}): Promise<unknown> {
    const answer = await this.ask('Runtime.evaluate', { expression, ...more, returnByValue: true, silent: true });
    return (answer?.['result'] as { readonly value?: unknown } | undefined)?.value;
  }

  /** Sends a command, too: `answered` is called as soon as the answer is there, before what the thread tells after that. */
  send(
    method: string,
    params: InspectorData,
    answered: (error: string | undefined, result: InspectorData | undefined) => void,
  ): void {
    if (this.#isClosed) {
      answered(undefined, undefined);
      return;
    }
    const id = ++this.#lastId;
    this.#waiting.set(id, (answer) => answered(answer?.error?.message, answer?.result));
    const message = JSON.stringify({ id, method, params });
    // Node itself passes on what is for a worker: the thread runs nothing for that.
    const isOwn = !method.startsWith('NodeWorker.');
    if (isOwn && (this.#later.length > 0 || this.#holds.isHeld(this.#thread, this))) this.#sendLater(message);
    else this.#send(message);
  }

  /** Sets what is called when the thread tells this; undefined: nothing any more. */
  on(method: string, listener: ((params: InspectorData) => void) | undefined): void {
    if (listener === undefined) this.#listeners.delete(method);
    else this.#listeners.set(method, listener);
  }

  /** Calls `found` for each worker that the thread has started, now and until the session is closed. */
  async findWorkers(found: (worker: FoundWorker) => void): Promise<void> {
    this.on('NodeWorker.attachedToWorker', (params) => this.#attached(params, found));
    this.on('NodeWorker.detachedFromWorker', ({ sessionId }) => {
      this.#workers.get(String(sessionId))?.close();
      this.#workers.delete(String(sessionId));
    });
    this.on('NodeWorker.receivedMessageFromWorker', ({ sessionId, message }) =>
      this.#workers.get(String(sessionId))?.received(String(message)),
    );
    await this.ask('NodeWorker.enable', { waitForDebuggerOnStart: false });
  }

  /** Takes a message of the thread. */
  received(message: string): void {
    const { id, method, params = {}, ...answer } = JSON.parse(message) as InspectorMessage;
    if (method !== undefined) this.told(method, params);
    if (id === undefined) return;
    this.#waiting.get(id)?.(answer);
    this.#waiting.delete(id);
  }

  /** Takes a notification of the thread, which is no answer. */
  told(method: string, params: InspectorData): void {
    this.#listeners.get(method)?.(params);
  }

  /** The session is over: what was asked is not answered any more. */
  close(): void {
    this.#isClosed = true;
    for (const worker of this.#workers.values()) worker.close();
    for (const answered of this.#waiting.values()) answered(undefined);
    this.#waiting.clear();
    this.#listeners.clear();
    this.#later.length = 0;
  }

  #sendLater(message: string): void {
    this.#later.push(message);
    if (this.#later.length === 1) void this.#sendLate();
  }

  async #sendLate(): Promise<void> {
    while (this.#holds.isHeld(this.#thread, this)) await this.#holds.free(this.#thread);
    for (const message of this.#later.splice(0)) this.#send(message);
  }

  #attached({ sessionId, workerInfo }: InspectorData, found: (worker: FoundWorker) => void): void {
    const { title = '', url = '' } = workerInfo as { readonly title?: string; readonly url?: string };
    const [, number, name = ''] = TITLE.exec(title) ?? [];
    const thread = Number(number);
    const send = (message: string): void => {
      // The worker may have ended: its session is gone, and the answer would be an error that nobody waits for.
      void this.ask('NodeWorker.sendMessageToWorker', { sessionId, message }).catch(() => session.close());
    };
    const session = new InspectorThread(send, this.#holds, thread);
    this.#workers.set(String(sessionId), session);
    found({ thread, name, url, session });
  }
}
