const TOKEN_HEADER = 'x-fentry-token';

/** The words of a request. */
export type RequestWords = Readonly<Record<string, string | number | boolean>>;

/** The server that `fentry ui` runs. Promises are rejected with words for the user, also of the file that was refused. */
export class LiveServer {
  readonly token: string;

  constructor(token: string) {
    this.token = token;
  }

  /** A value that changes nothing when it is read. */
  async get<T>(path: string, words: RequestWords = {}): Promise<T> {
    return (await (await this.#send(pathOf(path, words))).json()) as T;
  }

  /** The text of a file of a process. */
  async file(pid: number, path: string): Promise<string> {
    return (await this.#send(pathOf('/live/file', { pid, path }))).text();
  }

  /** Has the server do something. */
  async post<T>(path: string, words: RequestWords, signal?: AbortSignal): Promise<T> {
    return (await (await this.#post(path, words, signal)).json()) as T;
  }

  /** Passes the lines of a file of a process as they come, several at once, until it ends or `signal` aborts. */
  async follow(pid: number, path: string, take: (lines: readonly string[]) => void, signal: AbortSignal): Promise<void> {
    await takeLines(await this.#send(pathOf('/live/follow', { pid, path }), { signal }), take, signal);
  }

  /** Passes the lines of what the server does, as long as `signal` does not abort. */
  async watch(path: string, words: RequestWords, take: (lines: readonly string[]) => void, signal: AbortSignal): Promise<void> {
    await takeLines(await this.#post(path, words, signal), take, signal);
  }

  #post(path: string, words: RequestWords, signal?: AbortSignal): Promise<Response> {
    const headers = { 'content-type': 'application/json' };
    return this.#send(path, { method: 'POST', headers, body: JSON.stringify(words), ...(signal && { signal }) });
  }

  async #send(path: string, options: RequestInit = {}): Promise<Response> {
    let response: Response;
    try {
      response = await fetch(path, { ...options, headers: { ...options.headers, [TOKEN_HEADER]: this.token } });
    } catch (error) {
      if (options.signal?.aborted) throw error;
      throw new Error('fentry does not answer: start fentry ui again');
    }
    if (response.ok) return response;
    const words = (await response.text()).trim();
    throw response.status === ENDED ? new EndedError(words) : new Error(words);
  }
}

/** The process has ended. */
export class EndedError extends Error {}

/** The status of an answer for a process that has ended. */
const ENDED = 410;

const pathOf = (path: string, words: RequestWords): string => {
  const query = new URLSearchParams(Object.entries(words).map(([name, value]) => [name, String(value)]));
  return `${path}?${query}`;
};

async function takeLines({ body }: Response, take: (lines: readonly string[]) => void, signal: AbortSignal): Promise<void> {
  const reader = body!.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      const lines = (rest + piece.value).split('\n');
      rest = lines.pop()!;
      if (lines.length > 0) take(lines);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
