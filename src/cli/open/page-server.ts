import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { TraceError } from '../../base/errno.js';
import { type PageHost, type PageRequest, refusalOf, TOKEN_HEADER } from './admit.js';

/** What the server answers at a path. */
export interface PageRoute {
  readonly path: string;
  readonly method: 'GET' | 'POST';
  readonly asks: PageRequest['asks'];
  /** Answers; a TraceError that it throws before it has begun is the answer, with its words. */
  answer(request: IncomingMessage, response: ServerResponse, query: URLSearchParams): void | Promise<void>;
}

const ADDRESS = '127.0.0.1';
/** 256 bits. */
const TOKEN_BYTES = 32;

/** Headers of all answers: only this page's own files, in no frame, kept nowhere. */
const HEADERS = {
  'content-security-policy': "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'",
  // A window that the page opens, Perfetto's, can be sent the file.
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
} as const;

const STATUSES: Readonly<Record<string, number>> = {
  ENOENT: 404,
  EACCES: 403,
  EPERM: 403,
  EINVAL: 400,
  EBUSY: 409,
  EEXIST: 409,
  ENODEV: 410,
  ESRCH: 410,
  EAGAIN: 503,
  ETIMEDOUT: 504,
  EIO: 500,
};

/** The server of the page: on this machine's own address, at a port that nobody knows before, for who has the token. */
export class PageServer {
  readonly #server: Server;
  readonly #routes: readonly PageRoute[];
  readonly #host: PageHost;

  private constructor(server: Server, routes: readonly PageRoute[]) {
    this.#server = server;
    this.#routes = routes;
    const { port } = server.address() as AddressInfo;
    this.#host = { host: `${ADDRESS}:${port}`, token: randomBytes(TOKEN_BYTES).toString('base64url') };
    server.on('request', (request, response) => void this.#answer(request, response));
  }

  static async start(routes: readonly PageRoute[]): Promise<PageServer> {
    const server = createServer();
    server.listen(0, ADDRESS);
    await once(server, 'listening');
    return new PageServer(server, routes);
  }

  /** The address with the token, which only the fragment has: browsers do not send that. */
  get link(): string {
    return this.linkTo('/');
  }

  /** The address of another document, in the same way. */
  linkTo(path: string): string {
    return `http://${this.#host.host}${path}#${this.#host.token}`;
  }

  /** Ends all connections. */
  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
    const { method = '', url = '' } = request;
    const [path, query = ''] = url.split(/\?(.*)/s);
    const route = this.#routes.find((one) => one.path === path && one.method === method);
    const refusal = refusalOf(factsOf(request, route?.asks ?? 'data'), this.#host);
    if (refusal !== undefined) return sayNo(response, 403, refusal);
    if (route === undefined) return sayNo(response, 404, 'there is no such thing here');
    try {
      await route.answer(request, response, new URLSearchParams(query));
    } catch (error) {
      if (response.headersSent) response.destroy();
      else if (error instanceof TraceError) sayNo(response, STATUSES[error.errno] ?? 400, error.message);
      else sayNo(response, 500, (error as Error).message);
    }
  }
}

function factsOf({ method = '', headers }: IncomingMessage, asks: PageRequest['asks']): PageRequest {
  const header = (name: string): string | undefined => {
    const value = headers[name];
    return typeof value === 'object' ? value.join(', ') : value;
  };
  return {
    method,
    host: header('host'),
    origin: header('origin'),
    fetchSite: header('sec-fetch-site'),
    fetchMode: header('sec-fetch-mode'),
    fetchDest: header('sec-fetch-dest'),
    token: header(TOKEN_HEADER),
    contentType: header('content-type'),
    asks,
  };
}

function sayNo(response: ServerResponse, status: number, words: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(`${words}\n`);
}
