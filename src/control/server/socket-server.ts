import { chmodSync, renameSync, unlinkSync } from 'node:fs';
import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { HEADER } from '../../base/socket-protocol.js';

type Handler = (request: IncomingMessage, response: ServerResponse) => unknown;
/** Takes over a connection whose client asks for another protocol. */
type UpgradeHandler = (upgrade: string | undefined, stream: Duplex, head: Uint8Array) => void;

/** The limits for clients of the socket. */
export interface SocketLimits {
  readonly connections: number;
  /** Milliseconds that a client may take to send a request, and the interval between checks for slower ones. */
  readonly request: number;
  readonly look: number;
}

/** A socket that clients reach this process by. */
export interface ControlSocket {
  /** Stops to listen, and ends all connections, in the midst of requests too. */
  close(): void;
}

/** What listening on a socket may be told besides. */
export interface SocketOptions {
  readonly limits?: SocketLimits;
  /** There are clients now, or none any more. Returns false if there must be none: then a new one finds its connection closed. */
  readonly hasClients?: (has: boolean) => boolean;
}

const LIMITS: SocketLimits = { connections: 200, request: 30_000, look: 5000 };
/** How many clients get this answer at the same time if there are too many; each uses one of the program's descriptors. */
const MOST_TURNED_AWAY = 50;

/**
 * Listens on a unix socket that only its owner may use, and speaks HTTP there. The code for HTTP is loaded with the first
 * connection: most processes never get one. The socket is bound when this returns; it throws when it cannot be. It gets its
 * final name when it listens and has its mode, because clients take a socket without a listener for a dead process's.
 */
export function listenOnSocket(
  path: string,
  handler: Handler,
  upgrade: UpgradeHandler,
  { limits = LIMITS, hasClients = () => true }: SocketOptions = {},
): ControlSocket {
  let http: Promise<HttpServer> | undefined;
  const connections = new Set<Socket>();
  /** Connections that have sent no whole request yet, the oldest first. */
  const silent = new Set<Duplex>();
  const server = createServer({ pauseOnConnect: true }, (socket: Socket) => {
    if (connections.size >= limits.connections && !letGoOfOldest()) return turnAway(socket, limits);
    if (connections.size === 0 && !hasClients(true)) return void socket.destroy();
    connections.add(socket);
    silent.add(socket);
    socket.once('close', () => forget(socket));
    http ??= startHttp(handler, upgrade, limits, (asking) => silent.delete(asking));
    http.then((serving) => serving.emit('connection', socket)).catch(() => socket.destroy());
  });
  const forget = (socket: Socket): void => {
    if (connections.delete(socket) && connections.size === 0) hasClients(false);
    silent.delete(socket);
  };
  /** Connections that only stay open must not keep out those that send requests. */
  const letGoOfOldest = (): boolean => {
    const [oldest] = silent as Set<Socket>;
    if (oldest === undefined) return false;
    forget(oldest);
    oldest.destroy();
    return true;
  };
  server.maxConnections = limits.connections + MOST_TURNED_AWAY;
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
  return {
    close() {
      server.close();
      for (const socket of connections) socket.destroy();
    },
  };
}

/** Too many clients with requests are a mistake of the clients, and get an error. */
function turnAway(socket: Socket, { connections, request }: SocketLimits): void {
  const message = `${connections} connections are open already`;
  const body = `${JSON.stringify({ errno: 'EAGAIN', message })}\n`;
  socket.on('error', () => socket.destroy());
  socket.setTimeout(request, () => socket.destroy());
  // If a connection is closed with unread data, the client sees an error instead of the answer.
  socket.resume();
  socket.end(
    `HTTP/1.1 503 Service Unavailable\r\n${HEADER.errno}: EAGAIN\r\ncontent-type: application/json\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}

/** @param asked called with each connection when a request has arrived */
async function startHttp(
  handler: Handler,
  upgrade: UpgradeHandler,
  { request, look }: SocketLimits,
  asked: (socket: Duplex) => void,
): Promise<HttpServer> {
  const { createServer: createHttpServer } = await import('node:http');
  const server = createHttpServer(
    { requestTimeout: request, headersTimeout: request, connectionsCheckingInterval: look },
    (request, response) => {
      asked(request.socket);
      return handler(request, response);
    },
  );
  server.on('connection', (socket: Socket) => socket.resume());
  server.on('upgrade', (request, stream, head) => {
    asked(request.socket);
    upgrade(request.headers.upgrade, stream, head);
  });
  server.timeout = 0;
  // It never listens itself, but only then does Node begin to look for slow requests.
  server.emit('listening');
  return server;
}
