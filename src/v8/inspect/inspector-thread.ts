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
  #lastId = 0;
  #isClosed = false;

  /** @param send takes messages to the thread */
  constructor(send: (message: string) => void) {
    this.#send = send;
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
    this.#send(JSON.stringify({ id, method, params }));
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
  }

  #attached({ sessionId, workerInfo }: InspectorData, found: (worker: FoundWorker) => void): void {
    const { title = '', url = '' } = workerInfo as { readonly title?: string; readonly url?: string };
    const session = new InspectorThread((message) => {
      // The worker may have ended: its session is gone, and the answer would be an error that nobody waits for.
      void this.ask('NodeWorker.sendMessageToWorker', { sessionId, message }).catch(() => session.close());
    });
    this.#workers.set(String(sessionId), session);
    const [, thread, name = ''] = TITLE.exec(title) ?? [];
    found({ thread: Number(thread), name, url, session });
  }
}
