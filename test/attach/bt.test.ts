import assert from 'node:assert/strict';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { BtAnswer, BtThread } from '../../src/answers/bt/bt-answer.js';
import { attempt } from '../../src/base/attempt.js';
import { listeningPorts } from '../../src/cli/attach/listening-ports.js';
import { CLI, finished, Sandbox, until } from '../e2e/support/program.js';
import { startPlain } from './plain-program.js';
import { WebSocketDebugger } from './websocket-debugger.js';

/** Milliseconds are for this machine's other work: a process that runs answers in some of them. */
const PATIENCE = ['--timeout', '60'];

/** A program that says `ready` and then does something in `inner`, called by `outer`. */
const program = (body: string): string => `
function inner({ id, text = 'none' }, ...rest) {
  const local = { id };
  ${body}
  return [local, rest];
}
function outer(id) { return inner({ id, text: 'a "b"' }, 1, 2); }
setTimeout(outer, 1, 201);
console.log('ready');
`;

async function answerOf(sandbox: Sandbox, pid: number, ...options: readonly string[]): Promise<BtAnswer> {
  const { code, stdout, stderr } = await sandbox.fentry('bt', ...PATIENCE, '--json', ...options, String(pid));
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout) as BtAnswer;
}

/** `inner < outer`: the application's calls. */
const ownCalls = ({ frames }: BtThread): string =>
  frames
    .filter(({ isOwn }) => isOwn)
    .map(({ name }) => name)
    .join(' < ');

/** Uses its variables: V8 optimizes others away. */
const LOOP = 'while (rest.length === 2 && text !== "" && id > 0);';

const BUSY: readonly (readonly [what: string, body: string, doing: string])[] = [
  ['a regular expression that backtracks', '/^([\\w.-]+)+@$/.test("report-2024-quarter-final-version-by-ann.xlsx!");', 'runs'],
  ['an endless loop', LOOP, 'runs'],
  ['Atomics.wait', 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);', 'waits in Atomics.wait'],
];

for (const [what, body, doing] of BUSY) {
  test(`a process without fentry says what it does in ${what}, and nothing is left in it`, async (t) => {
    const sandbox = new Sandbox(t);
    const { pid, child } = await startPlain(sandbox, program(body));
    const shown = await sandbox.fentry('bt', ...PATIENCE, String(pid));
    assert.equal(shown.code, 0, shown.stderr);
    assert.match(shown.stdout, new RegExp(`^main thread \\(\\d+\\): ${doing}\\n`));
    assert.match(shown.stdout, / {2}inner\(id: 201, text: "a \\"b\\"", rest: \[1, 2\]\) {2}program\.cjs:\d+\n/);
    assert.match(shown.stdout, / {2}outer\(id: 201\) {2}program\.cjs:7\n/);
    assert.match(shown.stdout, / {2}\.\.\. node: \d+ functions; --all shows them\n$/);
    const [main] = (await answerOf(sandbox, pid, '--locals')).threads;
    assert.equal(ownCalls(main!), 'inner < outer');
    const inner = main!.frames.find(({ name }) => name === 'inner')!;
    assert.deepEqual(inner.locals, [{ name: 'local', value: '{id: 201}' }]);
    assert.equal(inner.place!.file, join(sandbox.folder, 'program.cjs'));
    assert.deepEqual(listeningPorts(pid), [], 'the inspector is closed');
    assert.equal(existsSync(join(sandbox.sockets, `${pid}.sock`)), false);
    assert.equal(child.exitCode, null);
  });
}

/** Whether this user may read the memory of a process that it has started: root may, and others if Yama lets them. */
const readsMemory = (pid: number): boolean => attempt(() => closeSync(openSync(`/proc/${pid}/mem`, 'r'))) === undefined;

test('of a process that waits for a child process the calls are shown, and no signal is sent', async (t) => {
  const sandbox = new Sandbox(t);
  const source = `
const { execFileSync } = require('node:child_process');
const sleeps = (seconds, text) => execFileSync('sleep', [seconds], { input: text });
class Job {
  constructor(name) { this.name = name; }
  run(times, rate) {
    return [times].map((time) => {
      return sleeps('500', this.name + time);
    });
  }
}
function outer(id) {
  const runs = (job) => job.run(1, 2.5);
  return runs(new Job('job ' + id));
}
console.log('ready');
setTimeout(outer, 1, 201);`;
  const { pid } = await startPlain(sandbox, source);
  if (!readsMemory(pid)) return t.skip('this user may not read the memory of processes');
  let main: BtThread;
  do [main] = (await answerOf(sandbox, pid)).threads as [BtThread];
  while (main.state !== 'blocked');
  assert.match(main.doing!, /^waits for its child process \d+ \(sleep 500\)$/);
  assert.deepEqual(listeningPorts(pid), []);
  const lines = (await sandbox.fentry('bt', String(pid))).stdout.split('\n').slice(1, 9);
  assert.deepEqual(lines.slice(1), [
    '  execFileSync [node]  node:child_process',
    '  sleeps(seconds: "500", text: "job 2011")  program.cjs:3',
    '  <anonymous>(time: 1)  program.cjs:8',
    '  map [node]',
    '  run(times: 1, rate: 2.5)  program.cjs:7',
    '  runs(job: (unavailable))  program.cjs:13',
    '  outer(id: 201)  program.cjs:14',
  ]);
});

test('an idle process, with a worker that is idle and one that runs', async (t) => {
  const sandbox = new Sandbox(t);
  const source = `
const { Worker, isMainThread, workerData, parentPort } = require('node:worker_threads');
if (isMainThread) {
  let started = 0;
  for (const name of ['busy', 'idle\\u001b[2J']) {
    new Worker(__filename, { name, workerData: name }).on('message', () => ++started === 2 && console.log('ready'));
  }
} else {
  parentPort.postMessage('started');
  setTimeout(function spin() { while (workerData === 'busy'); parentPort.on('message', () => {}); }, 1);
}`;
  const { pid } = await startPlain(sandbox, source);
  const { threads } = await answerOf(sandbox, pid);
  const words = threads.map((one) => `${one.thread} ${one.name} ${one.state} ${ownCalls(one)}`);
  assert.deepEqual(words, ['0  idle ', '1 busy running spin', '2 idle\u001b[2J idle ']);
  assert.equal(new Set(threads.map(({ tid }) => tid)).size, 3);
  const shown = await sandbox.fentry('bt', ...PATIENCE, String(pid));
  assert.match(shown.stdout, /^worker 2 'idle\^\[\[2J' \(\d+\): waits in its event loop$/m);
});

test('workers that all run are shown with their calls and values', async (t) => {
  const sandbox = new Sandbox(t);
  const source = `
const { Worker, isMainThread, workerData, parentPort } = require('node:worker_threads');
const WORKERS = 6;
if (isMainThread) {
  let started = 0;
  const count = () => ++started === WORKERS && console.log('ready');
  for (let i = 1; i <= WORKERS; i++) new Worker(__filename, { workerData: i }).on('message', count);
} else {
  const backtrack = (number) => /^([\\w.-]+)+@$/.test('report-2024-quarter-final-version-by-ann-and-bob.xlsx!' + number);
  setTimeout(() => { parentPort.postMessage('starts'); backtrack(workerData); }, 1);
}`;
  const { pid } = await startPlain(sandbox, source);
  const workers = (await answerOf(sandbox, pid)).threads.slice(1);
  const shown = workers.map(({ thread, state, frames }) => [thread, state, frames.find(({ isOwn }) => isOwn)?.arguments]);
  const expected = Array.from({ length: 6 }, (_, i) => [i + 1, 'running', [{ name: 'number', value: String(i + 1) }]]);
  assert.deepEqual(shown, expected);
  assert.deepEqual(listeningPorts(pid), []);
});

test('of a deep recursion both ends are shown', async (t) => {
  const sandbox = new Sandbox(t);
  const source = `
function deep(n) { return n === 0 ? spin() : deep(n - 1) + 1; }
function spin() { for (;;); }
setTimeout(() => deep(10000), 1);
console.log('ready');`;
  const { pid } = await startPlain(sandbox, source, 'deep.cjs', ['--stack-size=3900', '--inspect-port=0']);
  const [main] = (await answerOf(sandbox, pid)).threads;
  const { frames, cut } = main!;
  assert.equal(frames[0]!.name, 'spin');
  assert.equal(frames.filter(({ name }) => name === 'deep').length + cut!.count!, 10001);
  assert.equal(frames.length, 150);
});

test('two who ask at once get the same answer', async (t) => {
  const sandbox = new Sandbox(t);
  const { pid } = await startPlain(sandbox, program(LOOP));
  const asking = Array.from({ length: 3 }, () => finished(sandbox.spawn([CLI, 'bt', ...PATIENCE, String(pid)])));
  const answers = await Promise.all(asking);
  for (const { code, stdout, stderr } of answers) assert.equal(code, 0, stderr || stdout);
  assert.match(answers[0]!.stdout, /inner\(id: 201/);
  assert.equal(new Set(answers.map(({ stdout }) => stdout)).size, 1, answers.map(({ stdout }) => stdout).join('\n'));
  assert.deepEqual(listeningPorts(pid), []);
});

test('a process that ends while it is asked, and one that never was', async (t) => {
  const sandbox = new Sandbox(t);
  const { pid, child } = await startPlain(sandbox, program(LOOP));
  const asking = finished(sandbox.spawn([CLI, 'bt', ...PATIENCE, String(pid)]));
  setTimeout(() => child.kill('SIGKILL'), 100);
  const { code, stdout, stderr } = await asking;
  assert.ok(code === 0 ? stdout.includes('inner(id: 201') : /^fentry bt: .* \((ESRCH|EIO)\)\n$/.test(stderr), stdout + stderr);
  const gone = await sandbox.fentry('bt', String(2 ** 22 + 1));
  assert.deepEqual([gone.code, gone.stderr], [1, `fentry bt: there is no process ${2 ** 22 + 1} (ESRCH)\n`]);
});

test('the inspector is not opened once more when a busy thread comes back to its event loop', async (t) => {
  const sandbox = new Sandbox(t);
  const source = `
const { existsSync } = require('node:fs');
function busy() { while (!existsSync('go')); setTimeout(() => console.log(require('node:inspector').url()), 100); }
setTimeout(busy, 1);
setInterval(() => {}, 1000);
console.log('ready');`;
  const { pid, child } = await startPlain(sandbox, source);
  const printed = once(child.stdout!, 'data');
  const [main] = (await answerOf(sandbox, pid)).threads;
  assert.equal(main!.state, 'running');
  sandbox.file('go', '');
  assert.deepEqual(await printed, ['undefined\n']);
});

test('a thread that a debugger holds is said to be held, and stays so', async (t) => {
  const sandbox = new Sandbox(t);
  const source = `
console.log('ready');
function held(id) { debugger; console.log('goes on'); return id; }
const inspector = require('node:inspector');
setTimeout(() => { inspector.open(0); console.log(inspector.url()); inspector.waitForDebugger(); held(7); }, 1);`;
  const child = sandbox.spawn([sandbox.file('program.cjs', source)]);
  child.stderr!.resume();
  let printed = '';
  child.stdout!.setEncoding('utf8').on('data', (text: string) => void (printed += text));
  await until(() => printed.includes('ws://'), 'its inspector listens');
  const debug = await WebSocketDebugger.open(/ws:\S+/.exec(printed)![0]);
  await debug.ask('Debugger.enable');
  await debug.ask('Runtime.runIfWaitingForDebugger');
  await until(() => debug.isPaused, 'the thread is held');
  const [main] = (await answerOf(sandbox, child.pid!)).threads;
  assert.deepEqual([main!.state, main!.frames[0]!.name], ['held', 'held']);
  assert.deepEqual(main!.frames[0]!.arguments, [{ name: 'id', value: '7' }]);
  assert.doesNotMatch(printed, /goes on/);
  await debug.ask('Debugger.resume');
  await until(() => printed.includes('goes on'), 'it goes on');
  debug.close();
});
