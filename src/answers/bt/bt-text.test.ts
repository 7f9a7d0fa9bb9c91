import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BtAnswer, BtFrame, BtThread } from './bt-answer.js';
import { btText } from './bt-text.js';

const own = (name: string, more: Partial<BtFrame> = {}): BtFrame => ({
  name,
  place: { file: `/app/${name}.mjs`, line: 3, column: 7 },
  isOwn: true,
  ...more,
});
const foreign = (name: string, from = 'node'): BtFrame => ({ name, package: from, isOwn: false });
const thread = (more: Partial<BtThread>): BtThread => ({ thread: 0, name: '', tid: 40, state: 'running', frames: [], ...more });
const answer = (...threads: readonly BtThread[]): BtAnswer => ({
  answer: 'bt',
  version: 1,
  pid: 40,
  application: '/app',
  threads,
});

test('a call has its values and its place; of others the one is shown that the application has called', () => {
  const frames = [
    foreign('RegExp.test'),
    own('mailLink', { arguments: [{ name: 'word', value: '"a!"' }] }),
    foreign('inner', 'lodash'),
    foreign('each', 'lodash'),
    own('render', { arguments: [] }),
    foreign('emit'),
    foreign('next'),
  ];
  assert.deepEqual(btText(answer(thread({ frames })), {}), [
    'main thread (40): runs',
    '  RegExp.test [node]',
    '  mailLink(word: "a!")  mailLink.mjs:3',
    '  inner [lodash]',
    '  each [lodash]',
    '  render()  render.mjs:3',
    '  ... node: 2 functions; --all shows them',
  ]);
  assert.equal(btText(answer(thread({ frames })), { all: true }).length, 8);
});

test('a stack without a call of the application is shown as it is', () => {
  const lines = btText(answer(thread({ frames: [foreign('a'), foreign('b')] })), {});
  assert.deepEqual(lines, ['main thread (40): runs', '  a [node]', '  b [node]']);
});

test('what is left out of a deep stack has a line, and locals have one each', () => {
  const frames = [own('deep', { locals: [{ name: 'n', value: '1' }] }), own('main')];
  const head = 'main thread (40): runs';
  assert.deepEqual(btText(answer(thread({ frames, cut: { count: 9998, after: 1 } })), {}), [
    head,
    '  deep  deep.mjs:3',
    '      n: 1',
    '  ... 9,998 calls more',
    '  main  main.mjs:3',
  ]);
  assert.equal(btText(answer(thread({ frames, cut: { after: 2 } })), {}).at(-1), '  ... more calls: the stack is full');
});

test('each thread says what it does', () => {
  const threads = [
    thread({ state: 'blocked', doing: 'waits for its child process 7 (sleep 1)' }),
    thread({ thread: 1, name: 'resizer', tid: 41, state: 'idle' }),
    thread({ thread: 2, tid: 42, state: 'held' }),
  ];
  assert.deepEqual(btText({ ...answer(...threads), note: 'One more.' }, {}), [
    'main thread (40): waits for its child process 7 (sleep 1)',
    '',
    "worker 1 'resizer' (41): waits in its event loop",
    '',
    'worker 2 (42): is held by a debugger',
    '',
    'One more.',
  ]);
});

test('what a program names cannot command a terminal, or begin a line', () => {
  const frames = [own('\u001b[31mx\ny', { arguments: [{ name: 'a\u0007', value: '"\u202e"' }] })];
  const [head, line] = btText(answer(thread({ thread: 1, name: 'w\n\u001b]0;', frames })), {});
  assert.equal(head, "worker 1 'w ^[]0;' (40): runs");
  assert.equal(line, '  ^[[31mx y(a^G: "<U+202E>")  ^[[31mx_y.mjs:3');
});

test('on a narrow terminal values are cut, and lines keep their places', () => {
  const values = [
    { name: 'text', value: `"${'x'.repeat(200)}"` },
    { name: 'id', value: '201' },
  ];
  const [, line] = btText(answer(thread({ frames: [own('save', { arguments: values })] })), { width: 80 });
  assert.equal(line, `  save(text: "${'x'.repeat(32)}…, id: 201)  save.mjs:3`);
});
