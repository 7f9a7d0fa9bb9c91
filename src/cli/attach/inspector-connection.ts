import { get } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import WebSocket from 'ws';
import { TraceError } from '../../base/errno.js';

interface Answer {
  readonly id?: number;
  readonly error?: { readonly message: string };
  readonly result?: {
    readonly result?: { readonly value?: unknown };
    readonly exceptionDetails?: { readonly text: string; readonly exception?: { readonly description?: string } };
  };
}

/** The address of Node's debugger on a port of this machine; undefined if none listens there. */
export async function debuggerAddress(port: number, timeout: number): Promise<string | undefined> {
  try {
    const listing = JSON.parse(await fetchText(port, timeout)) as readonly { type?: string; webSocketDebuggerUrl?: string }[];
    return listing.find(({ type }) => type === 'node')?.webSocketDebuggerUrl;
  } catch {
    return undefined;
  }
}

function fetchText(port: number, timeout: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = get({ host: '127.0.0.1', port, path: '/json/list', agent: false, timeout }, (answer) =>
      readText(answer).then(resolve, reject),
    );
    request.on('timeout', () => request.destroy(new Error('timeout')));
    request.on('error', reject);
  });
}

/** A connection to a process's inspector that can evaluate expressions. */
export class InspectorConnection {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, (answer: Answer | undefined) => void>();
  #lastId = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data) => {
      const answer = JSON.parse(String(data)) as Answer;
      if (answer.id !== undefined) this.#settle(answer.id, answer);
    });
    const end = (): void => {
      for (const id of [...this.#waiting.keys()]) this.#settle(id, undefined);
    };
    socket.on('close', end);
    socket.on('error', end);
  }

  /** Connects; rejects with EIO. */
  static open(address: string, timeout: number): Promise<InspectorConnection> {
    return new Promise((resolve, reject) => {
      const socket = new WebSocket(address, { handshakeTimeout: timeout, perMessageDeflate: false });
      socket.once('open', () => resolve(new InspectorConnection(socket)));
      socket.once('error', (error) => reject(new TraceError('EIO', `its inspector refuses: ${error.message}`)));
    });
  }

  /**
   * Evaluates an expression in the main thread's global scope. Returns its value; undefined if the connection or the time ended
   * first.
   * @throws TraceError EIO when it throws
   */
  async evaluate(expression: string, timeout: number): Promise<unknown> {
    const id = ++this.#lastId;
    const answer = await new Promise<Answer | undefined>((resolve) => {
      const timer = setTimeout(() => this.#settle(id, undefined), timeout);
      this.#waiting.set(id, (one) => {
        clearTimeout(timer);
        resolve(one);
      });
      const params = { expression, includeCommandLineAPI: true, returnByValue: true, silent: true };
      this.#socket.send(JSON.stringify({ id, method: 'Runtime.evaluate', params }));
    });
    const { exceptionDetails, result } = answer?.result ?? {};
    const thrown = answer?.error?.message ?? exceptionDetails?.exception?.description ?? exceptionDetails?.text;
    if (thrown !== undefined) throw new TraceError('EIO', thrown);
    return result?.value;
  }

  close(): void {
    this.#socket.terminate();
  }

  #settle(id: number, answer: Answer | undefined): void {
    this.#waiting.get(id)?.(answer);
    this.#waiting.delete(id);
  }
}
