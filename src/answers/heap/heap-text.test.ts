import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_MEMORY } from '../memory-use.js';
import type { HeapAnswer, HeapConstructor, HeapStep, HeapThread } from './heap-answer.js';
import { heapText } from './heap-text.js';

const place = (line: number, file = 'lib/session.mjs') => ({ file: `/srv/shop/${file}`, line, column: 1 });
const counts = (count: number, bytes: number) => ({ count, bytes });
const BUS: HeapStep = { how: 'variable', name: 'bus', module: '/srv/shop/lib/bus.mjs', isOwn: true };
const EVENTS: HeapStep = {
  how: 'property',
  name: '_events',
  of: { kind: 'object', name: 'EventEmitter', package: 'node', isOwn: false },
  isOwn: false,
};
const LIST: HeapStep = { how: 'element', name: '', of: { kind: 'object', name: 'Array', isOwn: false }, isOwn: false };
const LISTENER = { kind: 'function', name: 'listener', place: place(8), isOwn: true } as const;
const SEEN: HeapStep = { how: 'variable', name: 'session', of: LISTENER, isOwn: true };
const object = (
  name: string,
  growth: number,
  steps: readonly HeapStep[],
  more: Partial<HeapConstructor> = {},
): HeapConstructor => ({
  kind: 'object',
  name,
  isOwn: false,
  before: counts(1, 100),
  after: counts(1 + growth, 100 + 100 * growth),
  paths: growth > 0 ? [{ growth: counts(growth, 100 * growth), steps }] : [],
  ...more,
});
const THREAD: HeapThread = {
  thread: 0,
  name: '',
  seconds: 10,
  stoppedMs: [210, 340],
  memory: [NO_MEMORY, { ...NO_MEMORY, arrayBuffers: 2e6 }],
  all: { before: counts(10_000, 5.1e6), after: counts(12_000, 5.5e6) },
  constructors: [
    object('listener', 2000, [BUS, EVENTS, LIST], LISTENER),
    object('Session\n\u001b[31m', 2000, [BUS, EVENTS, LIST, SEEN], { place: place(3), isOwn: true, morePaths: 2 }),
    object('Map', 2, [{ ...BUS, module: 'node:timers', isOwn: false }]),
    object('Date', 0, []),
  ],
  others: { constructors: 40, before: counts(3, 9), after: counts(3, 9) },
  holders: [
    {
      growth: counts(4000, 4e5),
      steps: [BUS, EVENTS, LIST],
      parts: [
        { constructor: 0, growth: counts(2000, 2e5) },
        { constructor: 1, growth: counts(2000, 2e5) },
      ],
    },
    { growth: counts(2, 200), steps: [{ how: 'root', name: '(Global handles)', isOwn: false }], parts: [] },
  ],
};
const SILENT: HeapThread = {
  ...THREAD,
  thread: 3,
  name: 'jobs\u001b',
  silence: 'has 900 MB of heap',
  constructors: [],
  holders: [],
};
const ANSWER: HeapAnswer = { answer: 'heap', version: 1, pid: 7, application: '/srv/shop', threads: [THREAD, SILENT] };

test('what holds more stands first, then the constructors that have grown, with the way on which they are held', () => {
  assert.deepEqual(heapText(ANSWER, {}), [
    'main thread: 10,000 objects with 5.1 MB -> 12,000 objects with 5.5 MB in 10.0 s; it stood still for 0.21 s and 0.34 s at most, for snapshots of its heap',
    'heap 0 B -> 0 B, Buffers 0 B -> 2.0 MB, external 0 B -> 0 B, process 0 B -> 0 B',
    '',
    'What holds more than before:',
    '  +400.0 kB  bus of lib/bus.mjs -> EventEmitter#_events -> Array[*]',
    '                 +2,000 listener() lib/session.mjs:8',
    '                 +2,000 Session_^[[31m lib/session.mjs:3',
    '',
    '     growth              objects                   bytes  constructor',
    '  +200.0 kB           1 -> 2,001       100 B -> 200.1 kB  listener()  lib/session.mjs:8',
    '                 +2,000 in bus of lib/bus.mjs -> EventEmitter#_events -> Array[*]',
    '  +200.0 kB           1 -> 2,001       100 B -> 200.1 kB  Session_^[[31m  lib/session.mjs:3',
    '                 +2,000 in bus of lib/bus.mjs -> EventEmitter#_events -> Array[*] -> listener() lib/session.mjs:8 (variable session)',
    '                 and 2 more ways',
    'node: 1 constructor, less than 1 % of the growth; --all shows it',
    '41 constructors have not grown; --all shows them',
    '',
    'worker 3 (jobs^[): not looked at: it has 900 MB of heap',
  ]);
});

test('with all, what is Node’s is shown, and what has not grown', () => {
  const text = heapText(ANSWER, { all: true }).join('\n');
  assert.match(text, /\n {5}\+200 B {2}\(Global handles\)\n/);
  assert.match(text, /\n {5}\+200 B +1 -> 3 +100 B -> 300 B {2}Map\n {17}\+2 in bus of node:timers\n/);
  assert.match(text, /\n {8}0 B +1 -> 1 +100 B -> 100 B {2}Date\n40 more constructors with 9 B\n/);
});

test('a heap in which nothing has become more is said to be so', () => {
  const still: HeapThread = { ...THREAD, constructors: [object('Date', 0, [])], holders: [] };
  const lines = heapText({ ...ANSWER, threads: [still] }, {});
  assert.deepEqual(lines.slice(2), ['', 'Nothing holds more than before.', '41 constructors have not grown; --all shows them']);
});
