import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TopOrder } from '../../answers/top/top-answer.js';
import { TraceError } from '../../base/errno.js';
import { isGone } from '../is-gone.js';
import type { PageRoute } from '../open/page-server.js';
import { drained } from '../output.js';
import { ORDERS } from '../top/profile-rows.js';
import { histogramsOf } from './histograms.js';
import { addProbe, probeHits, removeProbe } from './live-probes.js';
import type { LiveProcesses } from './live-processes.js';
import { nodeProcesses } from './node-processes.js';
import { processLoad } from './process-load.js';
import { bodyOf, queryOf, type UiRequest } from './request-body.js';
import { beginStream, boundedLines, closedSignal } from './streamed-answer.js';
import { topRows } from './top-rows.js';
import { followedAt, readingTime } from './tree-table.js';
import type { UiRecordings } from './ui-recordings.js';
import { askUnpreparedProcess, attachTo } from './unprepared-process.js';

/** What the pages of a server share. */
export interface Ui {
  readonly processes: LiveProcesses;
  readonly recordings: UiRecordings;
  readonly isReadOnly: boolean;
  /** The process that is shown first. Absent: the page asks. */
  readonly pid?: number | undefined;
}

/** What answers: a value is sent as JSON, a text as it is; without either it has answered itself. */
type Answer = (ui: Ui, asked: UiRequest, response: ServerResponse) => unknown;

/** A path that the page can ask for. */
interface UiRoute {
  readonly path: string;
  readonly method: 'GET' | 'POST';
  readonly answer: Answer;
}

/** Milliseconds for what sets a process up. */
const SETTING_UP = 60_000;
/** The longest recording, in seconds. */
const LONGEST = 60;

/** All that the page can ask for: GET changes nothing, and POST is refused with --read-only. */
export const UI_ROUTES = [
  { path: '/live/ui', method: 'GET', answer: ({ isReadOnly, pid }) => ({ isReadOnly, pid }) },
  { path: '/live/processes', method: 'GET', answer: () => nodeProcesses() },
  { path: '/live/load', method: 'GET', answer: (_ui, { pid }) => processLoad(pid) },
  { path: '/live/file', method: 'GET', answer: readFile },
  { path: '/live/follow', method: 'GET', answer: follow },
  {
    path: '/live/histograms',
    method: 'GET',
    answer: ({ processes }, { pid }) => processes.ask(pid, (_one, client) => histogramsOf(client)),
  },
  {
    path: '/live/changes',
    method: 'GET',
    answer: ({ processes }, { pid }) => processes.ask(pid, async ({ changes }) => changes.all),
  },
  {
    path: '/live/write',
    method: 'POST',
    answer: ({ processes }, asked) => {
      const write = { path: asked.text('path'), text: asked.text('text'), append: asked.isTrue('append') };
      return processes.ask(asked.pid, ({ changes }) => changes.write(write).then(() => changes.all), SETTING_UP);
    },
  },
  {
    path: '/live/put-back',
    method: 'POST',
    answer: ({ processes }, { pid }) =>
      processes.ask(pid, ({ changes }) => changes.putBack().then(() => changes.all), SETTING_UP),
  },
  {
    path: '/live/probe',
    method: 'POST',
    answer: ({ processes }, asked) =>
      processes.ask(asked.pid, (one, client) => addProbe(one, client, asked.text('definition')), SETTING_UP),
  },
  {
    path: '/live/remove-probe',
    method: 'POST',
    answer: ({ processes }, asked) =>
      processes.ask(asked.pid, (one, client) => removeProbe(one, client, asked.text('event')), SETTING_UP),
  },
  { path: '/live/hits', method: 'POST', answer: hits },
  { path: '/live/top', method: 'POST', answer: top },
  {
    path: '/live/record',
    method: 'POST',
    answer: async ({ processes, recordings }, asked, response) => {
      const one = await processes.of(asked.pid);
      const seconds = asked.number('seconds', 0, LONGEST);
      return recordings.record(one, seconds, asked.isTrue('isOwnOnly'), closedSignal(response));
    },
  },
  { path: '/live/ask', method: 'POST', answer: (_ui, asked) => askUnpreparedProcess(asked.pid, asked.text('answer')) },
  { path: '/live/attach', method: 'POST', answer: ({ processes }, { pid }) => attachTo(processes, pid) },
] as const satisfies readonly UiRoute[];

/** The paths of a recording, which the timeline of it asks for. */
const OF_RECORDINGS = ['/recording', '/source', '/perfetto'] as const;

/** The routes of the data that `fentry ui` serves. */
export const uiRoutes = (ui: Ui): readonly PageRoute[] => [
  ...UI_ROUTES.map(
    (route): PageRoute => ({
      path: route.path,
      method: route.method,
      asks: 'data',
      answer: (request, response, query) => answerRoute(route, ui, request, response, query),
    }),
  ),
  ...OF_RECORDINGS.map(
    (path): PageRoute => ({
      path,
      method: 'GET',
      asks: 'data',
      answer: (request, response, query) => ui.recordings.route(query.get('id') ?? '', path).answer(request, response, query),
    }),
  ),
];

async function answerRoute(
  { method, answer }: UiRoute,
  ui: Ui,
  request: IncomingMessage,
  response: ServerResponse,
  query: URLSearchParams,
): Promise<void> {
  if (method === 'POST' && ui.isReadOnly)
    throw new TraceError('EPERM', 'this page only reads: fentry ui was started with --read-only');
  try {
    const value = await answer(ui, method === 'POST' ? await bodyOf(request) : queryOf(query), response);
    if (response.headersSent) return;
    const type = typeof value === 'string' ? 'text/plain; charset=utf-8' : 'application/json';
    response.writeHead(200, { 'content-type': type });
    response.end(typeof value === 'string' ? value : JSON.stringify(value ?? null));
  } catch (error) {
    if (error instanceof TraceError) throw new TraceError(error.errno, withErrno(error));
    // It has ended within an answer.
    throw isGone(error) ? new TraceError('ENODEV', 'the process has ended (ENODEV)') : error;
  }
}

/** `no function matches nope (EINVAL)`, with what error_log says behind it. */
function withErrno({ errno, message }: TraceError): string {
  const [first, ...log] = message.split('\n');
  return [`${first} (${errno})`, ...log].join('\n');
}

function readFile({ processes }: Ui, asked: UiRequest): Promise<string> {
  const path = asked.text('path');
  const milliseconds = readingTime(path);
  return processes.ask(asked.pid, (_one, client) => client.read(path), milliseconds);
}

/** Sends a file as it comes, until the page no longer listens or the process ends. */
async function follow({ processes, isReadOnly }: Ui, asked: UiRequest, response: ServerResponse): Promise<void> {
  const path = asked.text('path');
  const { takes } = followedAt(path);
  if (takes && isReadOnly) throw new TraceError('EPERM', `${path} takes lines out of the buffer, and this page only reads`);
  const one = await processes.of(asked.pid);
  const closed = closedSignal(response);
  if (takes) {
    beginStream(response);
    const take = boundedLines(response);
    const end = one.tracePipe.follow({ take, end: () => response.end() });
    closed.addEventListener('abort', end, { once: true });
    return;
  }
  await sendAll(response, await processes.ask(asked.pid, () => one.client.open(path, closed)), closed);
}

async function hits({ processes }: Ui, asked: UiRequest, response: ServerResponse): Promise<void> {
  const closed = closedSignal(response);
  await sendAll(response, probeHits(await processes.of(asked.pid), closed), closed);
}

async function top({ processes }: Ui, asked: UiRequest, response: ServerResponse): Promise<void> {
  const order = asked.text('order');
  if (!Object.hasOwn(ORDERS, order)) throw new TraceError('EINVAL', `'${order}' is no order: ${Object.keys(ORDERS).join(', ')}`);
  const pattern = asked.isTrue('isOwnOnly') ? '*:mod:!*' : undefined;
  const closed = closedSignal(response);
  const one = await processes.of(asked.pid);
  await sendAll(response, jsonLines(topRows(one, { order: order as TopOrder, pattern }, closed)), closed);
}

async function* jsonLines(values: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const value of values) yield `${JSON.stringify(value)}\n`;
}

/**
 * Sends pieces as they come. What goes wrong before the first piece is the answer; later it ends the answer, as the end of the
 * process does.
 */
async function sendAll(response: ServerResponse, pieces: AsyncIterable<Uint8Array | string>, closed: AbortSignal): Promise<void> {
  const waits = setTimeout(() => {
    if (!response.headersSent && !closed.aborted) beginStream(response);
  }, FIRST_PIECE);
  try {
    for await (const piece of pieces) {
      if (closed.aborted) return;
      if (!response.headersSent) beginStream(response);
      if (!response.write(piece)) await drained(response);
    }
  } catch (error) {
    if (closed.aborted) return;
    if (!response.headersSent) throw error;
  } finally {
    clearTimeout(waits);
  }
  if (!response.headersSent) beginStream(response);
  response.end();
}

/** Milliseconds after which an answer begins that has nothing yet. */
const FIRST_PIECE = 1000;
