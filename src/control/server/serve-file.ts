import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { TraceError } from '../../base/errno.js';
import { nextTurn } from '../../base/next-turn.js';
import { type FileHandle, type FileOpener, O_RDONLY, O_WRONLY_APPEND, O_WRONLY_TRUNC, type TraceFile } from '../tracefs/node.js';

/** The size of one read, as with `cat`. */
const READ_BYTES = 65536;
/** The largest write: 10,000 long names fit many times. */
const MAX_BODY_BYTES = 8 * 2 ** 20;
/** What most writes fit into. */
const FIRST_BODY_BYTES = 4096;

/** Opens, runs and releases. An error of the release counts when there was none before. */
async function withHandle(handle: FileHandle, run: (handle: FileHandle) => Promise<void>): Promise<void> {
  try {
    await run(handle);
  } catch (error) {
    await Promise.resolve(handle.release()).catch(() => {});
    throw error;
  }
  await handle.release();
}

/**
 * Sends a file to its end. A file that waits for data (trace_pipe) is sent as it comes, until the client goes; a slow client
 * delays only its own answer, and so does a fast one: between two pieces, others get their turn.
 * @param nonblock the answer ends where the file would wait
 */
export async function sendFile(file: TraceFile, response: ServerResponse, caller: FileOpener, nonblock = false): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const { signal } = gone;
  await withHandle(await file.open({ ...O_RDONLY, nonblock }, caller), async (handle) => {
    for (;;) {
      const waiting = readOf(handle, signal);
      if (waiting instanceof Promise && !response.headersSent) flushHeadersLater(response, waiting);
      const bytes = await (nonblock ? endWhenEmpty(waiting) : waiting);
      if (signal.aborted) return;
      if (bytes.length === 0) break;
      begin(response);
      if (!response.write(bytes)) await once(response, 'drain', { signal });
      await nextTurn();
    }
    begin(response);
    response.end();
  }).catch((error) => {
    if (!signal.aborted) throw error;
  });
}

/** A read that throws at once is a rejected promise like any other. */
function readOf(handle: FileHandle, signal: AbortSignal): Uint8Array | Promise<Uint8Array> {
  try {
    return handle.read(READ_BYTES, signal);
  } catch (error) {
    return Promise.reject(error);
  }
}

/** Ends a read with O_NONBLOCK: a file that would wait for data is at its end. */
async function endWhenEmpty(read: Uint8Array | Promise<Uint8Array>): Promise<Uint8Array> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof TraceError && error.errno === 'EAGAIN') return new Uint8Array(0);
    throw error;
  }
}

function begin(response: ServerResponse): void {
  if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' });
}

/** A reader of trace_pipe must learn that the file is open although nothing has come yet. */
function flushHeadersLater(response: ServerResponse, waiting: Promise<unknown>): void {
  const timer = setTimeout(() => {
    begin(response);
    response.flushHeaders();
  }, 50);
  const stop = () => clearTimeout(timer);
  waiting.then(stop, stop);
}

/** Writes the request's body to the file in one piece, as `echo` does: `>` truncates, `>>` appends. */
export async function receiveFile(file: TraceFile, request: IncomingMessage, append: boolean, caller: FileOpener): Promise<void> {
  const bytes = await readBody(request);
  const handle = await file.open(append ? O_WRONLY_APPEND : O_WRONLY_TRUNC, caller);
  await withHandle(handle, async () => {
    if (bytes.length > 0) await handle.write(bytes);
  });
}

/**
 * Copies the body as it comes: a client may send each byte by itself, and what Node has of such a piece is a thousand times as
 * large.
 */
async function readBody(request: IncomingMessage): Promise<Uint8Array> {
  let bytes = new Uint8Array(FIRST_BODY_BYTES);
  let length = 0;
  for await (const chunk of request) {
    const end = length + (chunk as Buffer).length;
    if (end > MAX_BODY_BYTES) throw new TraceError('EINVAL', `a write of more than ${MAX_BODY_BYTES} bytes`);
    if (end > bytes.length) {
      const larger = new Uint8Array(Math.max(end, 2 * bytes.length));
      larger.set(bytes.subarray(0, length));
      bytes = larger;
    }
    bytes.set(chunk as Buffer, length);
    length = end;
  }
  return bytes.subarray(0, length);
}
