import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RequestFold, type WaitingPlace } from './fold-requests.js';
import type { RequestEvent } from './request-event.js';
import type { RequestPlace } from './requests-answer.js';
import { requestsText } from './requests-text.js';

/** An event of thread 0 at so many milliseconds. */
type Timed = readonly [ms: number, event: EventParts];
type EventParts = RequestEvent extends infer One ? (One extends RequestEvent ? Omit<One, 'at' | 'cpu'> : never) : never;

/** Addresses of functions: of the application's that have a name here. */
const PLACES: Readonly<Record<number, WaitingPlace>> = {
  7: own('ownWait', 3, 5),
  8: own('ownWait', 30, 33),
  20: own('flush', 40, 42),
  21: own('load', 50, 51),
  22: own('lookup', 60, 62),
};

function own(name: string, line: number, awaits: number): WaitingPlace {
  const file = `/srv/${name}.js`;
  return { frame: { name, place: { file, line, column: 1 }, isOwn: true }, awaits: { file, line: awaits, column: 3 } };
}

function folded(...trace: readonly Timed[]) {
  const fold = new RequestFold();
  for (const [ms, event] of trace) fold.take({ ...event, at: 1000 + ms / 1000, cpu: 0 } as RequestEvent);
  return fold.answer({ pid: 7, application: '/srv' }, (address) => PLACES[address]);
}
const to = (next: number, comm: string, isInside = false): EventParts => ({ type: 'switch', next, comm, isInside });
const fork = (context: number, comm: string): EventParts => ({ type: 'new', context, comm });
const waking = (context: number): EventParts => ({ type: 'ready', context });
const stack = (...addresses: number[]): EventParts => ({ type: 'stack', addresses });
const IDLE = to(0, 'swapper/0');
const begin = (id: number, url: string): EventParts => ({ type: 'request', id, method: 'GET', url });
const end = (id: number): EventParts => ({ type: 'answered', id, status: 200 });
const job = (id: number, name = 'queue.job'): EventParts => ({ type: 'job', id, name, message: `id=${id}` });
const returned = (id: number): EventParts => ({ type: 'returned', id });
const done = (id: number): EventParts => ({ type: 'finished', id });
const rounded = (ms: number): number => Math.round(ms * 1000) / 1000;

test('a request runs, awaits a timer, waits for its thread, and the parts are its whole time', () => {
  const { slowest, routes, finished } = folded(
    [0, to(5, 'HTTPINCOMINGMES')],
    [1, begin(1, '/items/42?q=1')],
    [2, fork(10, 'Timeout')],
    [2, fork(11, 'PROMISE')],
    [3, stack(6, 7, 8)],
    [4, IDLE],
    [20, { type: 'collection', from: 1000.021, seconds: 0.002 }],
    [54, waking(10)],
    [60, to(10, 'Timeout')],
    [60.5, waking(11)],
    [61, IDLE],
    [61, to(11, 'PROMISE')],
    [70, end(1)],
    [70, IDLE],
  );
  assert.equal(finished, 1);
  const [one] = slowest;
  assert.deepEqual([one!.method, one!.url, one!.status, rounded(one!.ms)], ['GET', '/items/42?q=1', 200, 69]);
  assert.deepEqual([rounded(one!.threadMs), rounded(one!.queuedMs), rounded(one!.collectionsMs)], [13, 6, 2]);
  assert.deepEqual(
    one!.waits.map(({ kind, ms, count, frame }) => [kind, rounded(ms), count, frame?.name]),
    [['timer', 50, 1, 'ownWait']],
  );
  assert.equal(routes[0]!.route, 'GET /items/:id');
});

test('a request that awaits a promise of another one waits for that, and not for its timer', () => {
  const { slowest } = folded(
    [0, to(5, 'HTTPINCOMINGMES')],
    [0, begin(1, '/a')],
    [0, fork(10, 'Timeout')],
    [1, fork(11, 'PROMISE')],
    [1, IDLE],
    [2, to(6, 'HTTPINCOMINGMES')],
    [2, begin(2, '/b')],
    [3, fork(12, 'PROMISE')],
    [4, IDLE],
    [40, waking(10)],
    [40, to(10, 'Timeout')],
    [41, waking(11)],
    [41, IDLE],
    [41, to(11, 'PROMISE')],
    [45, waking(12)],
    [50, end(1)],
    [50, IDLE],
    [50, to(12, 'PROMISE')],
    [52, end(2)],
  );
  const other = slowest.find(({ id }) => id === 2)!;
  assert.deepEqual(
    other.waits.map(({ kind, request, ms }) => [kind, request, rounded(ms)]),
    [['request', 1, 41]],
  );
  assert.deepEqual([rounded(other.queuedMs), rounded(other.threadMs), rounded(other.ms)], [5, 4, 50]);
});

test('requests of one connection are told apart, and an answer may be finished by another context', () => {
  const { slowest } = folded(
    [0, to(5, 'HTTPINCOMINGMES')],
    [0, begin(1, '/a')],
    [1, fork(20, 'FSREQCALLBACK')],
    [1, IDLE],
    [11, to(20, 'FSREQCALLBACK')],
    [12, IDLE],
    [15, to(30, 'WRITEWRAP')],
    [15, end(1)],
    [15, IDLE],
    [20, to(5, 'HTTPINCOMINGMES')],
    [20, begin(2, '/b')],
    [23, end(2)],
    [23, IDLE],
    [24, { type: 'lost', count: 12 }],
  );
  assert.deepEqual(
    slowest.map(({ url, threadMs, ms, waits }) => [
      url,
      rounded(threadMs),
      rounded(ms),
      waits.map(({ kind, ms: time }) => [kind, rounded(time)]),
    ]),
    [
      [
        '/a',
        2,
        15,
        [
          ['file', 10],
          ['answer', 3],
        ],
      ],
      ['/b', 3, 3, []],
    ],
  );
});

test('the text has the routes, then the slowest requests with the places of their waits', () => {
  const answer = folded(
    [0, to(5, 'HTTPINCOMINGMES')],
    [0, begin(1, '/evil\u001b[2J')],
    [1, fork(11, 'PROMISE')],
    [1, stack(7)],
    [2, fork(10, 'Timeout')],
    [2, IDLE],
    [52, waking(10)],
    [52, to(10, 'Timeout')],
    [52, waking(11)],
    [53, end(1)],
  );
  assert.deepEqual(requestsText(answer, {}), [
    '1 request finished',
    '  GET /evil^[[2J  1 times: half within 53.0 ms, 99 % within 53.0 ms, slowest 53.0 ms; mean 3.0 ms on the thread, 0.0 ms waiting for it',
    '',
    '53.0 ms  GET /evil^[[2J 200',
    '        3.0 ms  on the thread',
    '       50.0 ms  waiting for a timer, in ownWait at ownWait.js:5',
  ]);
});

test('functions of one name are told apart by their places', () => {
  const { slowest } = folded(
    [0, to(5, 'HTTPINCOMINGMES')],
    [0, begin(1, '/a')],
    [0, fork(11, 'PROMISE')],
    [0, stack(7)],
    [0, IDLE],
    [10, waking(11)],
    [10, to(11, 'PROMISE')],
    [10, fork(12, 'PROMISE')],
    [10, stack(8)],
    [10, IDLE],
    [15, waking(12)],
    [15, to(12, 'PROMISE')],
    [15, end(1)],
  );
  assert.deepEqual(
    slowest[0]!.waits.map(({ ms, frame, awaits }) => [rounded(ms), frame?.name, frame?.place?.line, awaits?.line]),
    [
      [10, 'ownWait', 3, 5],
      [5, 'ownWait', 30, 33],
    ],
  );
});

test('an asynchronous job has what its function makes before it returns, and its loop goes on for nobody', () => {
  const answer = folded(
    [0, to(9, 'PROMISE')],
    [1, job(1)],
    [2, fork(10, 'Timeout')],
    [2, fork(11, 'PROMISE')],
    [3, returned(1)],
    [4, fork(12, 'Timeout')],
    [5, IDLE],
    [20, waking(10)],
    [20, to(10, 'Timeout')],
    [20, waking(11)],
    [20, IDLE],
    [21, to(11, 'PROMISE')],
    [23, done(1)],
    [24, IDLE],
    [30, to(12, 'Timeout')],
    [90, IDLE],
  );
  const [one] = answer.slowest;
  assert.deepEqual([answer.finished, answer.open, answer.routes[0]!.route], [1, 0, 'queue.job']);
  assert.deepEqual([one!.message, rounded(one!.ms), rounded(one!.threadMs), rounded(one!.queuedMs)], ['id=1', 22, 4, 1]);
  assert.deepEqual(
    one!.waits.map(({ kind, ms }) => [kind, rounded(ms)]),
    [['timer', 17]],
  );
});

test('a job without anything asynchronous is over when it returns; one inside of another is part of its time', () => {
  const answer = folded([0, to(9, 'Timeout')], [1, job(1, 'outer')], [2, job(2, 'inner')], [5, returned(2)], [7, returned(1)]);
  assert.equal(answer.finished, 2);
  assert.deepEqual(
    answer.routes.map(({ route, maxMs, threadMs }) => [route, rounded(maxMs), rounded(threadMs)]),
    [
      ['outer', 6, 6],
      ['inner', 3, 3],
    ],
  );
});

test('a message that ends a job may be another object than the one that began it', () => {
  const { slowest, open } = folded(
    [0, to(9, 'PROMISE')],
    [0, job(1)],
    [1, fork(10, 'PROMISE')],
    [1, IDLE],
    [8, waking(10)],
    [8, to(10, 'PROMISE')],
    [9, done(77)],
    [9, job(2)],
  );
  assert.deepEqual([slowest.map(({ id, ms }) => [id, rounded(ms)]), open], [[[1, 9]], 1]);
});

test('a wait for another request says whose code ended it, and which timer of that called it back', () => {
  const answer = folded(
    [0, to(5, 'HTTPINCOMINGMES')],
    [0, begin(1, '/a')],
    [0, fork(10, 'Timeout')],
    [0, stack(21)],
    [1, IDLE],
    [2, to(6, 'HTTPINCOMINGMES')],
    [2, begin(2, '/b')],
    [3, fork(12, 'PROMISE')],
    [3, stack(7)],
    [4, IDLE],
    [40, waking(10)],
    [40, to(10, 'Timeout')],
    [40, fork(13, 'PROMISE')],
    [40, stack(20)],
    [41, IDLE],
    [44, waking(13)],
    [44, to(13, 'PROMISE')],
    [45, waking(12)],
    [46, IDLE],
    [46, to(12, 'PROMISE')],
    [47, end(2)],
  );
  const [wait] = answer.slowest[0]!.waits;
  const placed = ({ frame, at }: RequestPlace): unknown[] => [frame.name, at?.line];
  assert.deepEqual(placed(wait!.settled!.by!), ['flush', 42]);
  assert.deepEqual([wait!.settled!.callback!.kind, ...placed(wait!.settled!.callback!)], ['timer', 'load', 51]);
  assert.deepEqual(requestsText(answer, {}).slice(5, 7), [
    '       41.0 ms  waiting for another request, 1, in ownWait at ownWait.js:5',
    '                  ended by flush at flush.js:42, called back by the timer from load at load.js:51',
  ]);
});

test('a callback that no promise waits for has the place that asked for it', () => {
  const answer = folded(
    [0, to(5, 'HTTPINCOMINGMES')],
    [0, begin(1, '/a')],
    [0, fork(10, 'Timeout')],
    [0, stack(21)],
    [1, IDLE],
    [9, to(10, 'Timeout')],
    [9, end(1)],
  );
  assert.deepEqual([answer.slowest[0]!.waits[0]!.frame!.name, answer.slowest[0]!.waits[0]!.awaits!.line], ['load', 51]);
});

test('synchronous operations on files are part of the time on the thread, by who asks for them', () => {
  const operation = (ms: number, id: number): Timed[] => [
    [ms, { type: 'operation', id }],
    [ms, stack(6, 22)],
    [ms + 2, { type: 'operated', id }],
  ];
  const answer = folded([0, to(5, 'HTTPINCOMINGMES')], [0, begin(1, '/a')], ...operation(1, 1), ...operation(4, 2), [9, end(1)]);
  const [one] = answer.slowest;
  assert.deepEqual(
    one!.fileOperations.map(({ ms, count, frame, at }) => [rounded(ms), count, frame?.name, at?.line]),
    [[4, 2, 'lookup', 62]],
  );
  assert.deepEqual(requestsText(answer, {}).slice(-2), [
    '        9.0 ms  on the thread',
    '        4.0 ms  of these in 2 synchronous file operations, in lookup at lookup.js:62',
  ]);
});

test('a channel without a message is named, whatever its name is', () => {
  const nothing = new RequestFold().answer({ pid: 7, application: '/srv', channel: 'queue\u001b' }, () => undefined);
  assert.deepEqual(requestsText(nothing, {}), ['0 jobs finished', '  no message came on the channel tracing:queue^[:start']);
});
