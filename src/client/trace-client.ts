import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { ERRNO, type Errno, TraceError } from '../base/errno.js';
import { type DirectoryEntry, HEADER } from '../base/socket-protocol.js';
import { whileAwaiting } from './stopped-process.js';

/** Connection errors that mean that no process listens (any more). */
const NOT_LISTENING = new Set(['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE']);

/**
 * The control files of one process, through its socket. Paths are relative to the tracing directory. Every method rejects
 * with a TraceError: the errno and words of the file, or ENODEV when the process is gone.
 */
export class TraceClient {
  readonly pid: number;
  readonly socketPath: string;
  readonly #comm: string;
  readonly #headers: Readonly<Record<string, string>>;

  readonly #directory: string;
  readonly #pending = new Set<ClientRequest>();

  /** @param directory what paths are relative to; ends with a slash unless it is the tracing directory */
  constructor(pid: number, socketPath: string, comm = 'fentry', directory = '') {
    this.pid = pid;
    this.socketPath = socketPath;
    this.#comm = comm;
    this.#directory = directory;
    this.#headers = { [HEADER.pid]: String(process.pid), [HEADER.comm]: comm };
  }

  /** A client of the same process, with paths that are relative to a directory, which ends with a slash. */
  inside(directory: string): TraceClient {
    return new TraceClient(this.pid, this.socketPath, this.#comm, `${this.#directory}${directory}`);
  }

  /** The whole text of a file. */
  async read(path: string): Promise<string> {
    return readText(await this.open(path));
  }

  /** The bytes of a file as they come; trace_pipe goes on until `signal` aborts. */
  open(path: string, signal?: AbortSignal): Promise<IncomingMessage> {
    return this.#request('GET', path, { ...(signal && { signal }) });
  }

  /** The bytes that are there now of a file that waits for more (trace_pipe_raw). */
  openNow(path: string): Promise<IncomingMessage> {
    return this.#request('GET', path, { headers: { [HEADER.nonblock]: '1' } });
  }

  /** `echo DATA > path` */
  async write(path: string, data: string | Uint8Array, signal?: AbortSignal): Promise<void> {
    await this.#finish(await this.#request('PUT', path, { body: data, ...(signal && { signal }) }));
  }

  /** `echo DATA >> path` */
  async append(path: string, data: string | Uint8Array, signal?: AbortSignal): Promise<void> {
    await this.#finish(await this.#request('POST', path, { body: data, ...(signal && { signal }) }));
  }

  /** Makes an instance: `instances/NAME`. */
  async mkdir(path: string): Promise<void> {
    await this.#finish(await this.#request('MKCOL', path, {}));
  }

  /** Removes one. */
  async rmdir(path: string): Promise<void> {
    await this.#finish(await this.#request('DELETE', path, {}));
  }

  async list(path: string): Promise<readonly DirectoryEntry[]> {
    const answer = await this.#request('GET', path, { headers: { accept: 'application/json' } });
    if (answer.headers['content-type'] !== 'application/json') {
      answer.destroy();
      throw new TraceError('ENOTDIR');
    }
    return JSON.parse(await readText(answer)) as DirectoryEntry[];
  }

  /** Ends the requests that are not answered yet, for example because the process is stopped: they reject. */
  abandon(): void {
    for (const sent of this.#pending) sent.destroy();
  }

  async #finish(answer: IncomingMessage): Promise<void> {
    await readText(answer);
  }

  async #request(
    method: string,
    path: string,
    { body, headers, signal }: { body?: string | Uint8Array; headers?: Record<string, string>; signal?: AbortSignal },
  ): Promise<IncomingMessage> {
    const answered = whileAwaiting(this.pid);
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const sent = request(
        {
          socketPath: this.socketPath,
          method,
          path: `/${`${this.#directory}${path}`.split('/').map(encodeURIComponent).join('/')}`,
          headers: { ...this.#headers, ...headers, ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }) },
          agent: false,
          ...(signal && { signal }),
        },
        resolve,
      );
      sent.on('error', (error: NodeJS.ErrnoException) => reject(this.#connectionError(error)));
      // After the whole answer, or without one.
      this.#pending.add(sent);
      sent.on('close', () => {
        this.#pending.delete(sent);
        answered();
      });
      sent.end(body);
    });
    if ((answer.statusCode ?? 500) < 400) return answer;
    throw await errorOf(answer);
  }

  #connectionError(error: NodeJS.ErrnoException): Error {
    if (error.name === 'AbortError') return new TraceError('EINTR');
    if (NOT_LISTENING.has(error.code ?? '')) return new TraceError('ENODEV', `process ${this.pid} does not answer: it has ended`);
    if (error.code === 'EACCES') return new TraceError('EACCES', `${this.socketPath}: permission denied`);
    return new TraceError('EIO', error.message);
  }
}

/** The error that an answer carries. */
async function errorOf(answer: IncomingMessage): Promise<TraceError> {
  const body = await readText(answer).catch(() => '');
  const errno = answer.headers[HEADER.errno] as string | undefined;
  try {
    const { message } = JSON.parse(body) as { message: string };
    if (errno !== undefined && Object.hasOwn(ERRNO, errno)) return new TraceError(errno as Errno, message);
  } catch {
    // An answer that is not JSON is not fentry's.
  }
  return new TraceError('EIO', `unexpected answer ${answer.statusCode}: ${body.slice(0, 200)}`);
}
