import type { IncomingMessage, ServerResponse } from 'node:http';
import { asTraceError, ERRNO, type Errno, TraceError } from '../../base/errno.js';
import { HEADER } from '../../base/socket-protocol.js';
import type { FileOpener, TraceDirectory, TraceFile, TraceNode } from '../tracefs/node.js';
import { lookup, mkdir, rmdir } from '../tracefs/path.js';
import { directoryEntries, listingText } from './list-directory.js';
import { receiveFile, sendFile } from './serve-file.js';

/** The HTTP status that comes nearest to an errno; the errno itself is in the header and the body. */
const STATUS: Readonly<Partial<Record<Errno, number>>> = {
  EPERM: 403,
  EACCES: 403,
  ENOENT: 404,
  ENOTDIR: 404,
  EISDIR: 405,
  EINVAL: 400,
  ERANGE: 400,
  EBUSY: 409,
  EEXIST: 409,
  ENODEV: 410,
  EAGAIN: 503,
  ENOMEM: 507,
  ENOSPC: 507,
  ETIMEDOUT: 504,
  ENOSYS: 501,
  EOPNOTSUPP: 501,
};

/** Answers with an error: status, errno header, and `{"errno", "message"}`. What was begun as an answer is cut off. */
function respondError(response: ServerResponse, thrown: unknown): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const error = asTraceError(thrown);
  const message = error.message || ERRNO[error.errno][1];
  const body = `${JSON.stringify({ errno: error.errno, message })}\n`;
  response.writeHead(STATUS[error.errno] ?? 500, {
    [HEADER.errno]: error.errno,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}

interface Exchange {
  readonly root: TraceDirectory;
  readonly path: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

const METHODS: Readonly<Record<string, (exchange: Exchange) => Promise<void>>> = {
  async GET({ root, path, request, response }) {
    const node = lookup(root, path);
    const nonblock = request.headers[HEADER.nonblock] === '1';
    if (node.kind === 'file') await sendFile(node, response, callerOf(request), nonblock);
    else sendListing(node, request, response);
  },
  PUT: (exchange) => write(exchange, false),
  POST: (exchange) => write(exchange, true),
  async MKCOL({ root, path, response }) {
    await mkdir(root, path);
    response.writeHead(201).end();
  },
  async DELETE({ root, path, response }) {
    await rmdir(root, path);
    response.writeHead(204).end();
  },
};

/** Serves the tree: GET reads a file or lists a directory, PUT is `>`, POST is `>>`, MKCOL and DELETE are mkdir and rmdir. */
export function treeRequests(root: TraceDirectory): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  return async (request, response) => {
    try {
      const method = METHODS[request.method ?? ''];
      if (method === undefined) {
        response.setHeader('allow', Object.keys(METHODS).join(', '));
        throw new TraceError('ENOSYS', `unknown method ${request.method}`);
      }
      await method({ root, path: pathOf(request.url ?? '/'), request, response });
    } catch (error) {
      respondError(response, error);
      // The rest of an unused body must not keep the connection busy.
      if (!request.complete) request.destroy();
    }
  };
}

async function write({ root, path, request, response }: Exchange, append: boolean): Promise<void> {
  await receiveFile(fileOf(lookup(root, path)), request, append, callerOf(request));
  response.writeHead(204).end();
}

function fileOf(node: TraceNode): TraceFile {
  if (node.kind === 'directory') throw new TraceError('EISDIR');
  return node;
}

function sendListing(node: TraceDirectory, request: IncomingMessage, response: ServerResponse): void {
  const entries = directoryEntries(node);
  const json = request.headers.accept === 'application/json';
  response.writeHead(200, { 'content-type': json ? 'application/json' : 'text/plain; charset=utf-8' });
  response.end(json ? JSON.stringify(entries) : listingText(entries));
}

function pathOf(url: string): string {
  try {
    return decodeURIComponent(url.replace(/[?#].*$/s, ''));
  } catch {
    throw new TraceError('EINVAL', 'the path is not UTF-8 in percent encoding');
  }
}

/** The task that the client says it is; one that says nothing is task 0, `<...>`. */
function callerOf(request: IncomingMessage): FileOpener {
  const pid = Number(request.headers[HEADER.pid]);
  const comm = request.headers[HEADER.comm];
  return {
    pid: Number.isSafeInteger(pid) && pid > 0 ? pid : 0,
    comm: typeof comm === 'string' && comm !== '' ? comm.slice(0, 15) : '<...>',
  };
}
