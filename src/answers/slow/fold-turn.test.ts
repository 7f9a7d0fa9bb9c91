import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foldTurn } from './fold-turn.js';
import type { Sample, SampledCall, WatchedTurn } from './sampled-turn.js';

/** A call in a function that begins at line `from` of app.js. */
const own = (name: string, from: number, line = from + 1): SampledCall => ({
  frame: { name, place: { file: '/srv/app.js', line, column: 1 }, isOwn: true },
  from: { file: '/srv/app.js', line: from, column: 1 },
  isAsync: false,
});
const awaiting = (name: string, from: number): SampledCall => ({ ...own(name, from), isAsync: true });
const node = (name: string, file: string, line = 5, from = 1): SampledCall => ({
  frame: { name, place: { file, line, column: 1 }, package: 'node', isOwn: false },
  from: { file, line: from, column: 1 },
  isAsync: false,
});
const builtIn = (name: string): SampledCall => ({ frame: { name, package: 'node', isOwn: false }, isAsync: false });
const TIMER = node('listOnTimeout', 'node:internal/timers');

const look = (ms: number, calls: readonly SampledCall[], late = 0, doing?: string): Sample => ({
  ms,
  lateMs: late,
  calls,
  ...(doing !== undefined && { doing }),
});
const turn = (...looks: readonly Sample[]): WatchedTurn => ({
  number: 1,
  at: '2026-01-01T00:00:00.000Z',
  clock: 0,
  ms: 100,
  inexactMs: 5,
  thread: { thread: 0, name: 'node', tid: 1 },
  looks,
  arguments: [],
});

test('a function has the time of what it called of others, and all that ran below it', () => {
  const { functions } = foldTurn(
    turn(
      look(30, [builtIn('JSON.stringify'), own('send', 10, 12), own('handle', 1), TIMER]),
      look(60, [own('normalize', 20, 22), own('normalize', 20, 23), own('send', 10, 11), own('handle', 1), TIMER]),
      look(10, [own('send', 10, 12), own('handle', 1), TIMER]),
    ),
  );
  assert.deepEqual(
    functions.map(({ frame, share, totalShare, line, called }) => [
      frame.name,
      frame.place?.line,
      share,
      totalShare,
      line,
      called?.name,
    ]),
    [
      ['normalize', 20, 0.6, 0.6, 22, undefined],
      ['send', 10, 0.4, 1, 12, 'JSON.stringify'],
      ['handle', 1, 0, 1, 2, undefined],
    ],
  );
});

test('what is entered when native code has ended at last is not what took the time', () => {
  const entered: SampledCall = { ...node('from', 'node:buffer', 1, 1), isEntry: true };
  const { functions, unseenMs } = foldTurn(
    turn(
      look(50, [entered, node('scryptSync', 'node:internal/crypto/scrypt'), own('hash', 4), TIMER], 45),
      look(30, [{ ...own('answer', 8, 8), isEntry: true }, own('hash', 4), TIMER], 25),
      look(20, [{ ...own('next', 30, 30), isEntry: true }, TIMER], 15),
    ),
  );
  assert.deepEqual(
    functions.map(({ frame, share, called, calledBefore }) => [frame.name, share, called?.name, calledBefore]),
    [['hash', 0.8, 'scryptSync', undefined]],
  );
  assert.equal(unseenMs, 20);
});

test('callbacks are in the order in which they were seen, with the application’s outermost function', () => {
  const { callbacks } = foldTurn(
    turn(
      look(40, [own('refresh', 1), TIMER]),
      look(20, [own('inner', 9), own('refresh', 1), TIMER]),
      look(40, [own('handle', 5), awaiting('serve', 7)]),
    ),
  );
  assert.deepEqual(
    callbacks.map(({ kind, frame, share }) => [kind, frame?.name, share]),
    [
      ['timer', 'refresh', 0.6],
      ['promise', 'handle', 0.4],
    ],
  );
});

test('synchronous operations have who called them, and waits are as the system says', () => {
  const { synchronous, waits } = foldTurn(
    turn(
      look(30, [node('openSync', 'node:fs'), node('readFileSync', 'node:fs'), own('config', 3), TIMER]),
      look(
        50,
        [node('spawnSync', 'node:child_process'), node('execSync', 'node:child_process'), own('run', 6), TIMER],
        45,
        'waits for its child process 7 (sleep)',
      ),
      look(20, [own('run', 6), TIMER], 15, 'waits for Atomics.wait, or a lock in native code (futex)'),
    ),
  );
  assert.deepEqual(
    synchronous.map(({ name, ms, by }) => [name, ms, by?.name]),
    [
      ['execSync', 50, 'run'],
      ['readFileSync', 30, 'config'],
    ],
  );
  assert.deepEqual(waits, [{ doing: 'waits for its child process 7 (sleep)', ms: 50 }], 'V8’s own locks are no waits');
});

const MESSAGE = node('<anonymous>', 'node:internal/per_context/messageport', 1, 1);

test('a message that was decoded before anybody got it', () => {
  const { decodingMs, functions, callbacks } = foldTurn(turn(look(80, [{ ...MESSAGE, isEntry: true }], 78), look(20, [])));
  assert.equal(decodingMs, 80);
  assert.deepEqual(functions, []);
  assert.deepEqual(callbacks, [{ kind: 'message', share: 0.8 }]);
});

test('native code at the end of a callback is of the function that was called back', () => {
  const insert: SampledCall = { ...node('insert', 'node:internal/timers', 1, 1), isEntry: true };
  const { functions, callbacks, unseenMs } = foldTurn(
    turn({ ...look(50, [insert, TIMER], 45), callback: { frame: { name: 'tick', isOwn: true }, isAsync: false } }),
  );
  assert.deepEqual(
    functions.map(({ frame, share, calledBefore }) => [frame.name, share, calledBefore]),
    [['tick', 1, true]],
  );
  assert.deepEqual([callbacks[0]!.kind, callbacks[0]!.frame?.name, unseenMs], ['timer', 'tick', 0]);
});

test('a function that is known by a text to have called native code says so', () => {
  const { functions } = foldTurn(turn({ ...look(50, [builtIn('JSON.parse'), own('parses', 4), TIMER], 45), isByText: true }));
  assert.deepEqual([functions[0]!.called?.name, functions[0]!.isByText], ['JSON.parse', true]);
});

test('a function has the arguments that a call of it was given', () => {
  const given = { name: 'Cart.send', file: '/srv/app.js', line: 10, arguments: [{ name: 'id', value: '7' }] };
  const watched = turn(look(10, [own('send', 10), own('handle', 1), TIMER]));
  const { functions } = foldTurn({ ...watched, arguments: [given] });
  assert.deepEqual(
    functions.map((one) => one.arguments),
    [given.arguments, undefined],
  );
});

test('a function that was seen as a caller first has called nothing where it was on top', () => {
  const { functions } = foldTurn(turn(look(10, [own('inner', 9), own('send', 10), TIMER]), look(20, [own('send', 10), TIMER])));
  assert.deepEqual([functions[0]!.frame.name, functions[0]!.called], ['send', undefined]);
});

test('a message of another process is decoded where its channel is read', () => {
  const isInternal: SampledCall = { ...node('isInternal', 'node:internal/child_process', 9, 9), isEntry: true };
  const { decodingMs, callbacks, unseenMs } = foldTurn(
    turn(look(80, [isInternal, node('channel.onread', 'node:internal/child_process')], 75)),
  );
  assert.deepEqual([decodingMs, unseenMs, callbacks], [80, 0, [{ kind: 'process message', share: 1 }]]);
});

test('native code at the end of what got a message is not its decoding', () => {
  const { decodingMs, unseenMs } = foldTurn(turn(look(80, [{ ...node('next', 'node:events'), isEntry: true }, MESSAGE], 75)));
  assert.deepEqual([decodingMs, unseenMs], [0, 80]);
});
