import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeText } from './change-words.js';
import type { DiffAnswer, FunctionChange } from './diff-answer.js';
import { diffText } from './diff-text.js';
import { slowedFunctions } from './slowed-functions.js';

const SUMS = { calls: 300, total: 30e6, self: 20e6, p50: 90e3, p90: 100e3, p99: 200e3 };
const at = (line: number) => ({ file: '/srv/shop/src/price.ts', line, column: 1 });

const FUNCTIONS: readonly FunctionChange[] = [
  {
    name: 'main',
    place: at(40),
    isOwn: true,
    before: { ...SUMS, calls: 1 },
    after: { ...SUMS, calls: 1, total: 75e6 },
    change: 45e6,
    verdict: 'few',
  },
  {
    name: 'tax',
    place: at(12),
    was: at(9),
    isOwn: true,
    before: SUMS,
    after: { ...SUMS, total: 75e6, self: 50e6, p50: 225e3 },
    change: 45e6,
    verdict: 'slower',
    cause: 'own',
    call: { ratio: 2.5, p: 1e-9 },
    own: { ratio: 2.5, p: 1e-9 },
  },
  {
    name: 'parse',
    package: 'qs\u001b',
    place: { file: '/srv/shop/node_modules/qs/i.js', line: 1, column: 1 },
    isOwn: false,
    before: SUMS,
    after: { ...SUMS, total: 36e6 },
    change: 6e6,
    verdict: 'slower',
    cause: 'calls',
    call: { ratio: 1.2, p: 0.004 },
    callee: { name: 'decode', before: 1, after: 11.5 },
  },
  { name: 'old', isOwn: true, before: SUMS, change: -30e6, verdict: 'gone' },
];

const ANSWER: DiffAnswer = {
  answer: 'diff',
  version: 1,
  application: '/srv/shop',
  before: { file: 'a.dat', application: '/srv/shop', time: 80e6 },
  after: { file: 'b.dat', application: '/srv/shop', time: 120e6 },
  drift: 1.12,
  noise: 0.14,
  functions: FUNCTIONS,
};

test('the verdict comes first, own code before packages, then the table', () => {
  const lines = Array.from(diffText(ANSWER, {}));
  assert.deepEqual(lines.slice(0, 5), [
    'slower: tax (src/price.ts:12): its own code takes 2.50 times as long (p < 0.001)',
    'slower: parse [qs^[] (node_modules/qs/i.js:1): a call takes 1.20 times as long: it calls decode 11.50 times, before once (p = 0.004)',
    "all functions together are 12 % slower: taken for the machine's doing",
    'most functions differ by up to 14 % by themselves: smaller changes cannot be told from that',
    '',
  ]);
  const row = lines.find((line) => line.endsWith('src/price.ts:12')) ?? '';
  assert.match(row, /^ +\+45\.000 ms +75\.000 ms +\+150 % +50\.000 ms +\+150 % +300 +=/);
  assert.match(lines.at(-1) ?? '', /^ {2}qs\^\[: 1 function, 20 % of the time; --all shows it$/);
  assert.ok(lines.every((line) => !/[\u0000-\u001f]/.test(line)));
});

test('a change is a part of what it was', () => {
  assert.deepEqual(
    [
      [100, 150],
      [100, 95],
      [2, 2],
      [0, 7],
      [3, 3600],
      [4, 50],
    ].map(([before, after]) => changeText(before!, after!)),
    ['+50 %', '-5.0 %', '=', 'new', 'x1200', 'x12.5'],
  );
});

test('slower by more than a part are those that are it by their own doing', () => {
  const names = (over: number): readonly string[] => slowedFunctions(FUNCTIONS, over).map(({ name }) => name);
  assert.deepEqual(names(0.1), ['tax', 'parse']);
  assert.deepEqual(names(0.2), ['tax']);
  assert.deepEqual(names(2), []);
});
