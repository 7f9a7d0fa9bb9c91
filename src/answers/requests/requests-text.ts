import { visibleLine } from '../../base/visible.js';
import type { AnswerStyle } from '../answer.js';
import { placeText } from '../place-text.js';
import { jobChannels } from './job-channels.js';
import type {
  RequestOperations,
  RequestPlace,
  RequestRoute,
  RequestsAnswer,
  RequestTimes,
  RequestWait,
  WaitKind,
} from './requests-answer.js';

/** Requests and parts of one that are shown, and the least milliseconds of a part, unless all are. */
const SHOWN = { requests: 5, waits: 6, operations: 3, ms: 0.5, count: 10 } as const;

/** How the lines of a request are shown, and what it is called. */
interface LineStyle extends AnswerStyle {
  readonly noun: 'request' | 'job';
}

/** What was waited for, in words for a person. */
const KIND_WORDS: Readonly<Record<WaitKind, string>> = {
  timer: 'for a timer',
  socket: 'for a socket',
  dns: 'for the resolver',
  file: 'for a file',
  pool: 'for the thread pool',
  'child process': 'for a child process',
  message: 'for another thread',
  loop: 'for the next turn of the event loop',
  request: 'for another',
  answer: 'until the answer was sent',
  other: 'for something else',
};

/** The routes with their percentiles, then the slowest requests, or jobs. */
export function requestsText(value: RequestsAnswer, style: AnswerStyle): readonly string[] {
  const { channel, finished, open, lost, routes, slowest } = value;
  const noun = channel === undefined ? 'request' : 'job';
  const placed: LineStyle = { folder: value.application, ...style, noun };
  const count = `${finished} ${noun}${finished === 1 ? '' : 's'}`;
  return [
    `${count} finished${open > 0 ? `, ${open} not yet` : ''}${lost > 0 ? `; ${lost} events were lost, so times may lack parts` : ''}`,
    ...(channel !== undefined && finished + open === 0
      ? [`  no message came on the channel ${visibleLine(jobChannels(channel)[0]![0])}`]
      : []),
    ...routes.map(routeLine),
    ...slowest.slice(0, style.all ? slowest.length : SHOWN.requests).flatMap((one) => ['', ...requestLines(one, placed)]),
  ];
}

const milliseconds = (ms: number): string => `${ms.toFixed(1)} ms`;

const routeLine = ({ route, count, p50Ms, p99Ms, maxMs, threadMs, queuedMs }: RequestRoute): string =>
  `  ${visibleLine(route)}  ${count} times: half within ${milliseconds(p50Ms)}, 99 % within ${milliseconds(p99Ms)}, slowest ${milliseconds(maxMs)}; mean ${milliseconds(threadMs)} on the thread, ${milliseconds(queuedMs)} waiting for it`;

function requestLines(one: RequestTimes, style: LineStyle): readonly string[] {
  const { ms, threadMs, fileOperations, queuedMs, collectionsMs, waits } = one;
  const part = (time: number, what: string): string => `  ${time.toFixed(1).padStart(9)} ms  ${what}`;
  const worth = style.all ? waits : waits.filter((wait) => wait.ms >= SHOWN.ms).slice(0, SHOWN.waits);
  const rest = waits.filter((wait) => !worth.includes(wait));
  const restMs = rest.reduce((sum, wait) => sum + wait.ms, 0);
  return [
    `${milliseconds(ms)}  ${titleOf(one)}`,
    part(threadMs, 'on the thread'),
    ...fileOperations
      .filter((operation) => style.all || operation.ms >= SHOWN.ms || operation.count >= SHOWN.count)
      .slice(0, style.all ? fileOperations.length : SHOWN.operations)
      .map((operation) => part(operation.ms, operationsText(operation, style))),
    ...worth.flatMap((wait) => [part(wait.ms, waitText(wait, style)), ...settledLines(wait, style)]),
    ...(rest.length > 0 ? [part(restMs, `${rest.length} shorter waits; --all shows them`)] : []),
    ...(queuedMs >= SHOWN.ms || style.all ? [part(queuedMs, 'ready, but its thread ran something else')] : []),
    ...(collectionsMs >= SHOWN.ms ? [part(collectionsMs, 'of these were garbage collections')] : []),
  ];
}

const titleOf = ({ method = '', url = '', status, message }: RequestTimes): string =>
  message === undefined ? `${visibleLine(method)} ${visibleLine(url)} ${status}` : visibleLine(message);

function waitText({ kind, request, count, frame, awaits }: RequestWait, style: LineStyle): string {
  const what = request === undefined ? KIND_WORDS[kind] : `${KIND_WORDS[kind]} ${style.noun}, ${request}`;
  const where = frame === undefined ? '' : `, in ${whereText({ frame, ...(awaits && { at: awaits }) }, style)}`;
  return `waiting ${what}${count > 1 ? `, ${count} times` : ''}${where}`;
}

/** `load at src/load.mjs:12`; if only the function's own place is known, `load src/load.mjs:7`. */
function whereText({ frame, at }: RequestPlace, style: AnswerStyle): string {
  const place = at === undefined ? frame.place && ` ${placeText(frame.place, style)}` : ` at ${placeText(at, style)}`;
  return `${visibleLine(frame.name)}${place ?? ''}`;
}

function operationsText({ count, frame, at }: RequestOperations, style: AnswerStyle): string {
  const where = frame === undefined ? '' : `, in ${whereText({ frame, ...(at && { at }) }, style)}`;
  return `of these in ${count} synchronous file operation${count === 1 ? '' : 's'}${where}`;
}

/** What made a callback, in words for a person. */
const CALLBACK_WORDS: Readonly<Partial<Record<WaitKind, string>>> = { timer: 'the timer', loop: 'the callback' };

/** Behind a wait for another request: whose code settled it, and where that became the other one's. */
function settledLines({ settled }: RequestWait, style: AnswerStyle): readonly string[] {
  if (settled === undefined) return [];
  const { by, callback } = settled;
  const ended = by === undefined ? 'ended' : `ended by ${whereText(by, style)}`;
  const from = callback && `${CALLBACK_WORDS[callback.kind] ?? 'what was asked for'} from ${whereText(callback, style)}`;
  return [`${' '.repeat(18)}${ended}${from === undefined ? '' : `, called back by ${from}`}`];
}
