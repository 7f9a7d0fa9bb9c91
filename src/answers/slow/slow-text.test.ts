import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SlowAnswer, SlowTurn } from './slow-answer.js';
import { slowText } from './slow-text.js';

const frame = (name: string, line: number) => ({ name, place: { file: '/srv/app/lib.js', line, column: 3 }, isOwn: true });
const TURN: SlowTurn = {
  number: 1,
  at: '2026-01-01T10:20:30.400Z',
  clock: 7_000_100_000,
  ms: 412.3,
  inexactMs: 5,
  thread: { thread: 0, name: 'node', tid: 1 },
  samples: 40,
  sampledMs: 400,
  callbacks: [
    { kind: 'request', frame: frame('handle', 3), share: 0.9 },
    { kind: 'timer', share: 0.1 },
  ],
  functions: [
    {
      frame: frame('normalize', 20),
      share: 0.7,
      totalShare: 0.7,
      line: 22,
      called: { name: 'entries', package: 'node', isOwn: false },
    },
    { frame: frame('evil\u001b[2J', 30), share: 0.2, totalShare: 0.2, line: 30, calledBefore: true },
    { frame: frame('handle', 3), share: 0, totalShare: 0.9, line: 4 },
    { frame: frame('tiny', 40), share: 0.001, totalShare: 0.001, line: 40 },
  ],
  synchronous: [{ name: 'readFileSync', ms: 12, by: frame('config', 50) }],
  waits: [],
  collections: { count: 3, ms: 31.4 },
  decodingMs: 0,
  resumingMs: 0,
  unseenMs: 0,
};
const answer = (turns: readonly SlowTurn[], thresholdMs = 50): SlowAnswer => ({
  answer: 'slow',
  version: 1,
  pid: 1,
  application: '/srv/app',
  thresholdMs,
  since: '2026-01-01T10:00:00.000Z',
  turns,
  forgotten: 0,
});

test('a turn is what began it, its functions and what else was in it', () => {
  assert.deepEqual(slowText(answer([TURN]), {}), [
    '412 ms at 10:20:30.400, main thread: a request, handle lib.js:3',
    '  then a timer, 10 %',
    '   70 %  normalize lib.js:20, at line 22, in entries',
    '   20 %  evil^[[2J lib.js:30, in native code that it called before line 30',
    '    0 %  handle lib.js:3, at line 4, 90 % with what it called',
    '         12 ms readFileSync by config lib.js:50',
    '         31 ms in 3 garbage collections',
  ]);
  assert.equal(slowText(answer([TURN]), { all: true }).length, 8);
});

test('a recorded turn has its time in the recording', () => {
  assert.equal(
    slowText(answer([{ ...TURN, recording: 'slow.dat' }]), {}).at(-1),
    '         recorded in slow.dat: the turn is from 7.000100 to 7.412400',
  );
});

test('without a turn it says what is watched', () => {
  assert.deepEqual(slowText(answer([]), {}), ['no turn of the event loop took more than 50 ms since 2026-01-01T10:00:00.000Z']);
  assert.deepEqual(slowText(answer([], 0), {}), ['no turns are watched: write milliseconds to answers/slow_ms']);
});
