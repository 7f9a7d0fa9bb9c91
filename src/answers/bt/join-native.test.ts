import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BtFrame, BtNativeThread, BtThread } from './bt-answer.js';
import { btText } from './bt-text.js';
import { joinNative } from './join-native.js';

const script = (name: string, more: Partial<BtFrame> = {}): BtFrame => ({
  name,
  place: { file: '/app/app.js', line: 3, column: 7 },
  isOwn: true,
  ...more,
});
const value = (name: string): BtFrame => script(name, { arguments: [{ name: 'x', value: '1' }] });
const native = (name: string): BtFrame => ({ name, package: 'node', isOwn: false, isNative: true });
const builtin = (name: string): BtFrame => ({ name, package: 'node', isOwn: false });
const LOOP = [native('uv_run'), native('main')];

function joined(frames: readonly BtFrame[], looked: readonly BtFrame[], more: Partial<BtThread> = {}) {
  const thread: BtThread = { thread: 0, name: '', tid: 7, state: 'running', frames, ...more };
  const other: BtNativeThread = { tid: 7, name: 'node', doing: 'runs', frames: looked };
  const head = { answer: 'bt', version: 1, pid: 7, application: '/app' } as const;
  return joinNative({ ...head, threads: [thread] }, { threads: [other] }).threads[0]!;
}
const names = ({ frames }: BtThread): readonly string[] => frames.map(({ name }) => name);

test('machine code stands among the calls of JavaScript, which keep their values', () => {
  const found = joined(
    [value('inner'), value('outer'), script('later', { isAsync: true })],
    [native('read'), script('inner'), native('callback'), script('outer'), ...LOOP],
  );
  assert.deepEqual(names(found), ['read', 'inner', 'callback', 'outer', 'uv_run', 'main', 'later']);
  assert.deepEqual(found.frames[1], value('inner'));
  assert.equal(found.nativeNote, undefined);
});

test('calls that V8 has inlined, and built-in functions, stay where they are', () => {
  const frames = [builtin('Array.map'), script('inlined'), script('Job.run'), script('outer')];
  assert.deepEqual(names(joined(frames, [builtin('map'), script('run'), script('outer'), ...LOOP])), [
    ...['Array.map', 'inlined', 'Job.run', 'outer', 'uv_run', 'main'],
  ]);
  assert.deepEqual(names(joined([builtin('test'), script('a')], [native('Match'), script('a'), ...LOOP])), [
    ...['Match', 'test', 'a', 'uv_run', 'main'],
  ]);
});

test('what a thread has called of C++ that answers only when it has come back', () => {
  const looked = [native('compress'), script('squeeze', { isBeginning: true }), script('go'), ...LOOP];
  for (const inner of [[script('slice'), script('squeeze')], [script('other')]]) {
    const found = joined([...inner, value('go')], looked);
    assert.deepEqual(names(found), ['compress', 'squeeze', 'go', 'uv_run', 'main']);
    assert.match(found.nativeNote!, /^It went on .* the values of its innermost calls are not known\.$/);
  }
});

test('a thread that has called other functions of JavaScript meanwhile keeps what it has answered', () => {
  const found = joined([value('a'), value('outer')], [script('b'), native('callback'), script('outer'), ...LOOP]);
  assert.deepEqual(names(found), ['a', 'outer', 'uv_run', 'main']);
  assert.match(found.nativeNote!, /: not all of its machine code is known\.$/);
  assert.deepEqual(names(joined([value('a')], [native('epoll_wait'), ...LOOP])), ['a'], 'it waits in its event loop');
});

test('a thread that does not answer, and could not be read, has the calls of the other look', () => {
  const looked = [native('read'), script('inner'), ...LOOP];
  assert.deepEqual(names(joined([], looked, { state: 'blocked' })), ['read', 'inner', 'uv_run', 'main']);
});

test('the outer part of a stack that could not be unwound has the calls that the thread has answered', () => {
  const thread = { thread: 0, name: '', tid: 7, state: 'running', frames: [value('inner'), value('outer')] } as const;
  const other = { tid: 7, name: '', doing: 'runs', frames: [script('inner'), native('callback')], end: 'it is no code' };
  const head = { answer: 'bt', version: 1, pid: 7, application: '/app' } as const;
  const found = joinNative({ ...head, threads: [thread] }, { threads: [other] }).threads[0]!;
  assert.deepEqual(names(found), ['inner', 'callback', 'outer']);
  assert.equal(found.nativeNote, 'Who has called the outermost one is not known: it is no code.');
});

test('threads that do the same are one, and what is not the application’s is folded', () => {
  const waits = (tid: number): BtNativeThread => ({
    ...{
      tid,
      name: 'pool\u001b',
      doing: 'waits for a lock (futex)',
      frames: [native('futex'), native('worker'), native('start')],
    },
  });
  const broken: BtNativeThread = {
    tid: 9,
    name: '',
    doing: 'runs',
    frames: [script('main', { isNative: true })],
    end: 'it is no code',
  };
  const refused: BtNativeThread = { tid: 10, name: '', doing: 'runs', frames: [], end: 'another process traces it' };
  const head = { answer: 'bt', version: 1, pid: 7, application: '/app' } as const;
  assert.deepEqual(btText({ ...head, threads: [], others: [waits(3), broken, waits(4), refused] }, {}), [
    "threads 'pool^[' (3, 4): waits for a lock (futex)",
    '  futex [node]',
    '  ... node: 2 functions; --all shows them',
    '',
    'thread (9): runs',
    '  main  app.js:3',
    '  Who has called the last one is not known: it is no code.',
    '',
    'thread (10): runs',
    '  Its calls are not shown: another process traces it.',
  ]);
});
