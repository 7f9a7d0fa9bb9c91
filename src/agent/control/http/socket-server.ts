import { chmodSync, renameSync, unlinkSync } from 'node:fs';
import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

type Handler = (request: IncomingMessage, response: ServerResponse) => unknown;
/** Takes over a connection whose client asks for another protocol. */
type UpgradeHandler = (upgrade: string | undefined, stream: Duplex, head: Uint8Array) => void;

const MAX_CONNECTIONS = 200;
/** Milliseconds that a client may take to send a request. */
const REQUEST_TIMEOUT = 30_000;

/**
 * Listens on a unix socket that only its owner may use, and speaks HTTP there. HTTP's code is loaded with the first
 * connection: most processes are never asked anything. The socket is bound when this returns; it throws when it cannot be.
 * It gets its name when it listens and has its mode: a client takes a socket that nobody listens on for a dead process's.
 */
export function listenOnSocket(path: string, handler: Handler, upgrade: UpgradeHandler): Server {
  let http: Promise<HttpServer> | undefined;
  const server = createServer({ pauseOnConnect: true }, (socket: Socket) => {
    http ??= startHttp(handler, upgrade);
    http.then((serving) => serving.emit('connection', socket)).catch(() => socket.destroy());
  });
  server.maxConnections = MAX_CONNECTIONS;
  let failure: Error | undefined;
  server.on('error', (error) => {
    failure = error;
  });
  const unnamed = `${path}~`;
  try {
    unlinkSync(unnamed);
  } catch {
    // Usually there is nothing left by an earlier process of this id.
  }
  server.listen(unnamed);
  if (failure !== undefined) throw failure;
  chmodSync(unnamed, 0o600);
  renameSync(unnamed, path);
  return server;
}

async function startHttp(handler: Handler, upgrade: UpgradeHandler): Promise<HttpServer> {
  const { createServer: createHttpServer } = await import('node:http');
  const server = createHttpServer({ requestTimeout: REQUEST_TIMEOUT, headersTimeout: REQUEST_TIMEOUT }, handler);
  server.on('connection', (socket: Socket) => socket.resume());
  server.on('upgrade', (request, stream, head) => upgrade(request.headers.upgrade, stream, head));
  server.on('clientError', (_error, socket) => socket.destroy());
  server.timeout = 0;
  return server;
}
