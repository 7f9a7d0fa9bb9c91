import { visibleLine } from '../../base/visible.js';
import type { AnswerStyle } from '../answer.js';
import type { BtVariable } from '../bt/bt-answer.js';
import type { Frame } from '../place.js';
import { placeText } from '../place-text.js';
import { threadTitle } from '../thread-title.js';
import { variablesText } from '../variables-text.js';
import type { CallbackKind, SlowAnswer, SlowTurn, TurnCallback, TurnFunction } from './slow-answer.js';

/** Functions, their callers and callbacks of a turn that are shown, and the least share of one, unless all are. */
const SHOWN = { functions: 5, callers: 2, callbacks: 3, share: 0.02, callerShare: 0.05 } as const;
/** Milliseconds below which something is not worth a word. */
const WORTH = 1;
/** Characters of the values of a call, unless all is shown. */
const VALUES = 60;

/** What the event loop called, in words for a person. */
const KIND_WORDS: Readonly<Record<CallbackKind, string>> = {
  timer: 'a timer',
  immediate: 'an immediate',
  request: 'a request',
  connection: 'a new connection',
  socket: 'data of a socket',
  message: 'a message of another thread',
  'process message': 'a message of another process',
  'child process': 'news of a child process',
  file: 'the end of a file operation',
  dns: 'the answer of a resolver',
  'worker pool': 'work that the thread pool has done',
  signal: 'a signal',
  nextTick: 'a nextTick or a promise’s reaction',
  promise: 'a promise’s reaction',
  start: 'the start of the program',
  callback: 'a callback',
};

/** The turns, each on few lines; without any, what is watched. */
export function slowText(value: SlowAnswer, style: AnswerStyle): readonly string[] {
  const { turns, thresholdMs, forgotten } = value;
  if (thresholdMs === 0 && turns.length === 0) return ['no turns are watched: write milliseconds to answers/slow_ms'];
  if (turns.length === 0) return [`no turn of the event loop took more than ${thresholdMs} ms since ${value.since}`];
  const lines = turns.flatMap((turn, i) => [...(i > 0 ? [''] : []), ...turnText(turn, { folder: value.application, ...style })]);
  return forgotten === 0 ? lines : [`${forgotten} older turns are not kept`, '', ...lines];
}

/** One turn. */
export function turnText(turn: SlowTurn, style: AnswerStyle): readonly string[] {
  const { ms, at, thread, callbacks } = turn;
  const [first, ...others] = callbacks;
  const where = threadTitle(thread);
  const unseen = turn.samples === 0 ? 'it was over before its stack could be read' : 'no JavaScript was seen in it';
  const began = first === undefined ? unseen : callbackText(first, style);
  const shown = others.filter(({ share }) => share >= SHOWN.share).slice(0, style.all ? others.length : SHOWN.callbacks);
  return [
    `${Math.round(ms)} ms at ${at.slice(11, 23)}, ${where}: ${began}`,
    ...shown.map((callback) => `  then ${callbackText(callback, style)}, ${percent(callback.share)}`),
    ...functionLines(turn, style),
    ...restLines(turn, style),
  ];
}

const percent = (share: number): string => `${Math.round(100 * share)} %`;

const callbackText = ({ kind, frame }: TurnCallback, style: AnswerStyle): string =>
  KIND_WORDS[kind] + (frame === undefined ? '' : `, ${frameText(frame, style)}`);

/** `normalize(rows: [… 5000]) [package] lib/framework.mjs:24` */
function frameText({ name, place, package: from }: Frame, style: AnswerStyle, values?: readonly BtVariable[]): string {
  const where = place === undefined ? '' : ` ${placeText(place, style)}`;
  const list = values === undefined ? '' : variablesText(values, style.all ? Number.POSITIVE_INFINITY : VALUES);
  return `${visibleLine(name)}${list}${from === undefined || from === 'node' ? '' : ` [${visibleLine(from)}]`}${where}`;
}

/** The lines of the functions that took time themselves, and of those that only called them the outermost. */
function functionLines({ functions }: SlowTurn, style: AnswerStyle): readonly string[] {
  const own = functions.filter(({ share }) => share >= SHOWN.share).slice(0, SHOWN.functions);
  const callers = functions
    .filter((one) => one.totalShare >= SHOWN.callerShare && !own.includes(one))
    .sort((x, y) => y.totalShare - x.totalShare)
    .slice(0, SHOWN.callers);
  return (style.all ? functions : [...own, ...callers]).map(
    (one) => `  ${percent(one.share).padStart(5)}  ${frameText(one.frame, style, one.arguments)}${detail(one)}`,
  );
}

/** What a function did, behind its place. */
function detail({ frame, line, share, totalShare, called, calledBefore, isByText }: TurnFunction): string {
  const isOthers = called?.package !== undefined && called.package !== 'node';
  const parts = [
    line === frame.place?.line || calledBefore ? '' : `at line ${line}`,
    called === undefined || calledBefore
      ? ''
      : `in ${visibleLine(called.name)}${isOthers ? ` [${visibleLine(called.package!)}]` : ''}`,
    isByText ? 'by its text' : '',
    calledBefore ? `in native code that it called ${frame.place === undefined ? 'at its end' : `before line ${line}`}` : '',
    totalShare - share >= SHOWN.share ? `${percent(totalShare)} with what it called` : '',
  ].filter((part) => part !== '');
  return parts.map((part) => `, ${part}`).join('');
}

/** A time of a recording, in its way: seconds. */
const seconds = (ns: number): string => (ns / 1e9).toFixed(6);

function restLines(turn: SlowTurn, style: AnswerStyle): readonly string[] {
  const { synchronous, waits, collections, decodingMs, resumingMs, unseenMs, queuedMs, recording, clock, ms: took } = turn;
  const milliseconds = (ms: number): string => `${Math.round(ms)} ms`;
  const parts = [
    ...synchronous.map(
      ({ name, ms, by }) => `${milliseconds(ms)} ${visibleLine(name)}${by === undefined ? '' : ` by ${frameText(by, style)}`}`,
    ),
    ...waits.map(({ doing, ms }) => `${milliseconds(ms)} it ${visibleLine(doing)}`),
    collections !== undefined && collections.ms >= WORTH
      ? `${milliseconds(collections.ms)} in ${collections.count} garbage collections`
      : '',
    decodingMs >= WORTH ? `${milliseconds(decodingMs)} decoding messages` : '',
    resumingMs >= WORTH ? `${milliseconds(resumingMs)} in V8 between promises’ reactions, which run until none is left` : '',
    unseenMs >= WORTH ? `${milliseconds(unseenMs)} in native code that nothing could be seen of` : '',
    queuedMs !== undefined && queuedMs >= WORTH * 5 ? `${milliseconds(queuedMs)} waiting for a core` : '',
    recording !== undefined
      ? `recorded in ${visibleLine(recording)}: the turn is from ${seconds(clock)} to ${seconds(clock + took * 1e6)}`
      : '',
  ].filter((part) => part !== '');
  return parts.map((part) => `         ${part}`);
}
