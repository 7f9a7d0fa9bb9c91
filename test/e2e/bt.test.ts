import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import type { BtAnswer } from '../../src/answers/bt/bt-answer.js';
import { LISTENING, Sandbox } from './support/program.js';

/** What a thread does that has run `main`, and has said so. */
const program = (body: string): string => `
function inner({ id }, $foo) {
  const local = [id];
  ${body}
}
function outer(id) { return inner({ id }, 'text'); }
console.log('ready');
setTimeout(outer, 1, 201);
`;

/** Until the program does what it is to do: it says \`ready\` a moment before. */
async function running(sandbox: Sandbox, pid: number, name = 'bt.json'): Promise<BtAnswer> {
  for (;;) {
    const answer = JSON.parse(await sandbox.client(pid).read(`answers/${name}`)) as BtAnswer;
    if (answer.threads.every(({ state }) => state !== 'idle')) return answer;
  }
}

const BUSY: readonly (readonly [string, string])[] = [
  ['a regular expression', '/^([\\w.-]+)+@$/.test("report-2024-quarter-final-version-by-ann.xlsx!"); return [local, $foo];'],
  ['an endless loop', 'while (id > 0 && local.length === 1 && $foo !== "");'],
];

for (const [what, body] of BUSY) {
  test(`a process with fentry says in answers/bt what it does in ${what}`, async (t) => {
    const sandbox = new Sandbox(t);
    const { pid, stdout } = await sandbox.start(program(body), LISTENING);
    stdout?.resume();
    const { threads, application, pid: said } = await running(sandbox, pid, 'bt_locals.json');
    assert.deepEqual([said, application], [pid, sandbox.folder]);
    const own = threads[0]!.frames.filter(({ isOwn }) => isOwn);
    const shown = own.map(({ name, place, arguments: values }) => [name, place!.line, place!.column, ...(values ?? [])]);
    assert.deepEqual(shown[1], ['outer', 6, 29, { name: 'id', value: '201' }]);
    const values = [
      { name: 'id', value: '201' },
      { name: '$foo', value: '"text"' },
    ];
    assert.deepEqual([shown[0]![0], shown[0]![1], ...shown[0]!.slice(3)], ['inner', 4, ...values]);
    if (what !== 'an endless loop') assert.equal(shown[0]![2], 3 + body.indexOf('test('));
    assert.deepEqual(own[0]!.locals, [{ name: 'local', value: '[201]' }], 'the variables of sites are not shown');
    const text = (await sandbox.fentry('bt')).stdout;
    assert.match(text, / {2}inner\(id: 201, \$foo: "text"\) {2}program\.cjs:4\n {2}outer\(id: 201\) {2}program\.cjs:6\n/);
    assert.equal(await sandbox.client(pid).read('answers/bt'), text, 'the file has what the command prints');
  });
}

test('a thread that is in a system call is said to be, and its worker, which cannot be asked then', async (t) => {
  const sandbox = new Sandbox(t);
  const source = `
const { Worker, isMainThread } = require('node:worker_threads');
if (isMainThread) {
  new Worker(__filename).on('message', () => {
    console.log('ready');
    require('node:child_process').execFileSync('sleep', ['500']);
  });
} else {
  require('node:worker_threads').parentPort.postMessage('started');
  setInterval(() => {}, 1000);
}`;
  const { pid, stdout } = await sandbox.start(source, LISTENING);
  await once(stdout!, 'data');
  let answer: BtAnswer;
  do answer = JSON.parse(await sandbox.client(pid).read('answers/bt.json')) as BtAnswer;
  while (answer.threads[0]!.state !== 'blocked');
  const [main, worker] = answer.threads;
  assert.match(main!.doing!, /^waits for its child process \d+ \(sleep 500\)$/);
  assert.equal(answer.threads.length, 2);
  assert.deepEqual([worker!.state, worker!.doing], ['blocked', 'waits, as it seems in its event loop; it could not be asked']);
  assert.ok(worker!.tid! > 0);
});

test('calls of threads that do not answer are shown, each thread by itself', async (t) => {
  const sandbox = new Sandbox(t);
  const source = `
const { execFileSync } = require('node:child_process');
const { Worker, isMainThread, parentPort } = require('node:worker_threads');
function deep(n) {
  return n === 0 ? waits('in a worker') : deep(n - 1) + 1;
}
function waits(where) {
  return execFileSync('sleep', ['500']);
}
if (isMainThread) {
  new Worker(__filename).on('message', () => waits('in main'));
} else {
  parentPort.postMessage('');
  setTimeout(deep, 1, 400);
}
console.log('ready');`;
  const { pid, stdout } = await sandbox.start(source, LISTENING);
  await once(stdout!, 'data');
  const own = ({ frames }: BtAnswer['threads'][number]) =>
    frames.filter(({ isOwn }) => isOwn).map(({ name, place, arguments: values }) => [name, place?.line, values?.[0]?.value]);
  let answer: BtAnswer;
  do answer = JSON.parse(await sandbox.client(pid).read('answers/bt.json')) as BtAnswer;
  while (answer.threads.length < 2 || answer.threads.some(({ frames }) => frames.length === 0));
  const [main, worker] = answer.threads;
  assert.deepEqual(own(main!).slice(0, 1), [['waits', 8, '"in main"']]);
  const calls = own(worker!);
  assert.deepEqual(calls.slice(0, 3), [
    ['waits', 8, '"in a worker"'],
    ['deep', 5, '0'],
    ['deep', 5, '1'],
  ]);
  assert.deepEqual(calls.at(-1), ['deep', 5, '400']);
  assert.deepEqual(worker!.cut?.after, 100);
});

test('a program that ends while it is asked ends as it would', async (t) => {
  const sandbox = new Sandbox(t);
  const child = await sandbox.start(`
function work() { for (const end = Date.now() + 400; Date.now() < end; ); }
process.stdin.once('data', () => { process.stdin.destroy(); work(); setTimeout(work, 1); });
process.on('exit', () => console.log('exits'));
`);
  child.stdin!.write('end');
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream!.setEncoding('utf8').on('data', (text) => void (printed += text));
  const closed = once(child, 'close');
  const client = sandbox.client(child.pid);
  const asked: unknown[] = [];
  while (child.exitCode === null) asked.push(await client.read('answers/bt').catch(({ errno }) => errno));
  await closed;
  assert.deepEqual([child.exitCode, printed], [0, 'exits\n'], 'no debugger is waited for');
  assert.ok(asked.length > 0);
});

test('fentry start and fentry top name fentry bt where a thread is busy and calls nothing', async (t) => {
  const sandbox = new Sandbox(t);
  const { pid, stdout } = await sandbox.start(program('while (id > 0 && local.length === 1 && $foo !== "");'), LISTENING);
  stdout?.resume();
  await running(sandbox, pid);
  const started = await sandbox.fentry('start', '-p', 'function');
  const hint = `it is busy, and calls no traced function; what it does: fentry bt ${pid}`;
  assert.deepEqual([started.code, started.stderr], [0, `fentry: process ${pid}: ${hint}\n`]);
  assert.match((await sandbox.fentry('top', '--once', '-d', '0.2')).stdout, new RegExp(hint));
});
