import type { IncomingMessage, ServerResponse } from 'node:http';
import { TraceError } from '../../base/errno.js';
import { HEADER } from '../../base/socket-protocol.js';
import type { FileOpener, TraceDirectory, TraceFile, TraceNode } from '../tracefs/node.js';
import { lookup, mkdir, rmdir } from '../tracefs/path.js';
import { respondError } from './http-status.js';
import { directoryEntries, listingText } from './list-directory.js';
import { receiveFile, sendFile } from './serve-file.js';

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
