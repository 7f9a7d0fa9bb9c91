import type { ChildProcess } from 'node:child_process';
import type { Sandbox } from '../e2e/support/program.js';
import { until } from '../e2e/support/program.js';

/** A `fentry ui` that runs. */
export interface OpenedUi {
  readonly link: string;
  readonly server: ChildProcess;
}

/** Runs `fentry ui` until it has said its link. */
export function openUi(sandbox: Sandbox, ...options: readonly string[]): Promise<OpenedUi> {
  const server = sandbox.spawnFentry('ui', '--no-browser', ...options);
  return new Promise((resolve, reject) => {
    let text = '';
    for (const stream of [server.stdout!, server.stderr!])
      stream.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
        const [link] = /http:\/\/\S+(?=\n)/.exec(text) ?? [];
        if (link !== undefined) resolve({ link, server });
      });
    server.once('exit', (code) => reject(new Error(`fentry ui ended with ${code}: ${text}`)));
  });
}

/** An answer of the server. */
export interface LiveReply {
  readonly status: number;
  readonly text: string;
}

/** Asks the server of `fentry ui` as its page does, about one process. */
export class LiveAccess {
  readonly origin: string;
  readonly token: string;
  readonly #pid: number;

  constructor(link: string, pid: number) {
    const { origin, hash } = new URL(link);
    this.origin = origin;
    this.token = hash.slice(1);
    this.#pid = pid;
  }

  async get(path: string): Promise<LiveReply> {
    return replyOf(await this.#send(path, {}));
  }

  async post(path: string, words: object): Promise<LiveReply> {
    return replyOf(await this.#send(path, this.#posted(words)));
  }

  /** The value of a path about the process. */
  async json(path: string): Promise<unknown> {
    return JSON.parse((await this.get(`${path}?pid=${this.#pid}`)).text);
  }

  file(path: string): Promise<LiveReply> {
    return this.get(`/live/file?pid=${this.#pid}&path=${encodeURIComponent(path)}`);
  }

  /** A write as the page makes it: it adds to triggers and filters. */
  write(path: string, text: string): Promise<LiveReply> {
    return this.post('/live/write', { path, text, append: /trigger$|set_ftrace/.test(path) });
  }

  /** What comes until it is closed. */
  lines(path: string, words: Readonly<Record<string, unknown>>, method: 'GET' | 'POST' = 'GET'): LiveLines {
    const query = new URLSearchParams({ pid: String(this.#pid), ...(words as Record<string, string>) });
    const sent = (signal: AbortSignal): Promise<Response> =>
      method === 'GET' ? this.#send(`${path}?${query}`, { signal }) : this.#send(path, { ...this.#posted(words), signal });
    return new LiveLines(sent);
  }

  #posted(words: object): RequestInit {
    const headers = { 'content-type': 'application/json' };
    return { method: 'POST', headers, body: JSON.stringify({ pid: this.#pid, ...words }) };
  }

  #send(path: string, options: RequestInit): Promise<Response> {
    return fetch(`${this.origin}${path}`, {
      ...options,
      headers: { ...(options.headers as Record<string, string>), 'x-fentry-token': this.token },
    });
  }
}

const replyOf = async (response: Response): Promise<LiveReply> => ({ status: response.status, text: await response.text() });

/** An answer that goes on. */
export class LiveLines {
  /** Resolves when the server has ended it. */
  readonly ended: Promise<void>;
  #text = '';
  readonly #stop = new AbortController();

  constructor(send: (signal: AbortSignal) => Promise<Response>) {
    this.ended = this.#read(send).catch((error: unknown) => {
      if (!this.#stop.signal.aborted) throw error;
    });
    this.ended.catch(() => {});
  }

  /** Waits until a text has come. */
  async until(text: RegExp): Promise<void> {
    await until(() => text.test(this.#text), `${text} comes`);
  }

  clear(): void {
    this.#text = '';
  }

  close(): void {
    this.#stop.abort();
  }

  async #read(send: (signal: AbortSignal) => Promise<Response>): Promise<void> {
    const response = await send(this.#stop.signal);
    const decoder = new TextDecoder();
    for await (const piece of response.body!) this.#text += decoder.decode(piece as Uint8Array, { stream: true });
  }
}
