import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import type { WaitingAnswer } from '../../src/answers/waiting/waiting-answer.js';
import { listeningPorts } from '../../src/cli/attach/listening-ports.js';
import { startPlain } from '../attach/plain-program.js';
import { Sandbox } from '../e2e/support/program.js';

/** What it knows of its suspended calls: 2 + 2 × 2, 3 + 1 and 50 + 1 of the main thread. */
const PROGRAM = `
export const held = [];
async function query(id) {
  if (id < 0) await 0;
  await new Promise((resolve) => held.push(resolve));
}
class Pool {
  async acquire(id) {
    return await query(id);
  }
}
const pool = new Pool();
const handler = async (request) => {
  await pool.acquire(request.id);
};
for (let id = 0; id < 2; id++) handler({ id }).catch((error) => console.log(error));
async function batch() {
  await Promise.all([1, 2, 3].map((id) => query(id).then((text) => text)));
}
batch();
async function* lines() {
  yield 1;
  await query(4);
}
async function reads() {
  for await (const line of lines()) held.push(line);
}
reads();
async function walk(depth) {
  if (depth > 0) await walk(depth - 1);
  else await new Promise((resolve) => held.push(resolve));
}
walk(50);
setTimeout(() => console.log('ready'), 10);
setInterval(() => {}, 1000);
`;
const SUSPENDED = 3 * 2 + 4 + 3 + 51;

/** The lines of each tree, without the sources of awaits. */
const treesOf = (stdout: string): readonly (readonly string[])[] =>
  stdout
    .trimEnd()
    .split('\n\n')
    .slice(1)
    .map((tree) => tree.split('\n').filter((line) => !/^ {4}\s*(?:else )?await/.test(line)))
    .sort();

const TREES = [
  [
    '6 × query, waiting at program.mjs:5',
    '  < 2 × Pool.acquire  program.mjs:9',
    '    < <name>  program.mjs:14',
    '    then <anonymous>  program.mjs:16',
    '  < 1 × batch  program.mjs:18',
    '  < 1 × lines  program.mjs:23',
    '    < reads  program.mjs:26',
  ],
  ['1 × walk, waiting at program.mjs:31', '  < walk  program.mjs:30', '      (it calls itself 49 times more)'],
];

test('the suspended calls of a program without fentry are trees from the innermost await, and nothing stays behind', async (t) => {
  const sandbox = new Sandbox(t);
  const { pid, child } = await startPlain(sandbox, PROGRAM, 'program.mjs');
  const before = listeningPorts(pid);
  const first = await sandbox.fentry('bt', '--waiting', String(pid));
  const second = await sandbox.fentry('bt', '--waiting', '--json', String(pid));
  for (const { code, stderr } of [first, second]) assert.equal(code, 0, stderr);
  assert.match(
    first.stdout,
    /^main thread: \d+ suspended async calls; it stood still for \d+\.\d\d s, for a snapshot of \d+ MB of heap\n/,
  );
  const trees = treesOf(first.stdout).map((tree) => tree.map((line) => line.replace('< handler ', '< <name> ')));
  assert.deepEqual(
    trees.map((tree) => [tree[0], [...tree.slice(1)].sort()]),
    TREES.map((tree) => [tree[0], [...tree.slice(1)].sort()]).sort(),
  );
  assert.match(first.stdout, /\n {4}await new Promise\(\(resolve\) => held\.push\(resolve\)\);\n/);
  const answer = JSON.parse(second.stdout) as WaitingAnswer;
  assert.deepEqual([answer.answer, answer.version, answer.pid], ['waiting', 1, pid]);
  assert.equal(answer.threads[0]?.suspended, SUSPENDED);
  assert.deepEqual(listeningPorts(pid), before);
  assert.equal(child.exitCode, null);
});

test('with fentry in it, the same; with the variables of calls that still wait', async (t) => {
  const sandbox = new Sandbox(t);
  await sandbox.start(PROGRAM, {}, 'program.mjs');
  const { stdout, code, stderr } = await sandbox.fentry('bt', '--waiting', '--locals');
  assert.equal(code, 0, stderr);
  assert.match(
    stdout,
    /6 × query, waiting at program\.mjs:5\n.*\n {4}id = \d\n {2}< 2 × Pool\.acquire {2}program\.mjs:9\n {6}id = \d\n/,
  );
  assert.match(await sandbox.read('answers/waiting'), /6 × query, waiting at program\.mjs:5\n/);
});

/** Calls of one place that begin to wait one after the other; those from before contexts are followed have no age. */
const AGED = `
globalThis.held = [];
const hold = () => new Promise((resolve) => held.push(resolve));
async function early() { await hold(); }
async function wait(id) { await hold(); }
async function outer() { await inner(); }
async function inner() { for (let i = 0; i < 4; i++) await new Promise((resolve) => setTimeout(resolve, 300)); await hold(); }
early();
process.on('SIGUSR2', () => {
  outer();
  let id = 0;
  const timer = setInterval(() => {
    wait(id++);
    if (id === 3) clearInterval(timer);
  }, 300);
  setTimeout(() => console.log('waiting'), 1500);
});
setInterval(() => {}, 1000);
`;

test('while async contexts are followed, each call says for how long it waits', async (t) => {
  const sandbox = new Sandbox(t);
  const child = await sandbox.start(AGED, {}, 'program.mjs');
  const ask = async (): Promise<WaitingAnswer> => JSON.parse((await sandbox.fentry('bt', '--waiting', '--json')).stdout);
  const unfollowed = (await ask()).threads[0];
  assert.equal(unfollowed?.followedMs, undefined);
  assert.deepEqual(
    unfollowed?.calls.map(({ name, waited }) => [name, waited]),
    [['early', undefined]],
  );
  assert.equal((await sandbox.fentry('append', 'options/async-context', '1')).code, 0);
  const isWaiting = once(child.stdout!, 'data');
  child.kill('SIGUSR2');
  await isWaiting;
  const { stdout } = await sandbox.fentry('bt', '--waiting');
  const [main] = (await ask()).threads;
  const waited = new Map(main?.calls.map((call) => [call.name, call.waited]));
  const [outer, inner, wait] = ['outer', 'inner', 'wait'].map((name) => waited.get(name));
  assert.ok(outer && inner && wait && main?.followedMs, JSON.stringify(main));
  assert.equal(waited.get('early'), undefined);
  assert.deepEqual([outer.count, inner.count, wait.count], [1, 1, 3]);
  assert.ok(outer.leastMs > inner.leastMs, 'inner has gone on since outer waits for it');
  assert.ok(outer.mostMs > wait.mostMs && wait.mostMs - wait.leastMs > 400, JSON.stringify(main));
  assert.ok(main.followedMs > outer.mostMs);
  assert.match(stdout, /\nthe times of waits that began in the last \d+\.\d s are known\n/);
  assert.match(stdout, /\n3 × wait, waiting at program\.mjs:5, for \d+\.\d to \d+\.\d s\n/);
  assert.match(stdout, /\n {2}< outer {2}program\.mjs:6, for \d+\.\d s\n/);
  assert.match(stdout, /\n1 × early, waiting at program\.mjs:4\n/);
  // Followed anew, for events: what waits already began before.
  await sandbox.fentry('append', 'options/async-context', '0');
  await sandbox.fentry('append', 'events/sched/sched_switch/enable', '1');
  const anew = (await ask()).threads[0];
  assert.ok(anew?.followedMs !== undefined);
  assert.deepEqual(
    anew.calls.filter(({ waited: age }) => age !== undefined),
    [],
  );
});

test('workers have their own calls; one that never answers is said to be silent', async (t) => {
  const sandbox = new Sandbox(t);
  const worker = sandbox.file(
    'worker.mjs',
    `async function inWorker() { await new Promise((resolve) => { globalThis.kept = resolve; }); }
    inWorker();
    setInterval(() => {}, 1000);
    (await import('node:worker_threads')).parentPort.postMessage('up');`,
  );
  const { pid } = await startPlain(
    sandbox,
    `import { Worker } from 'node:worker_threads';
    const worker = new Worker(${JSON.stringify(worker)}, { name: 'jobs\\u001b[31m' });
    worker.once('message', () => console.log('ready'));`,
    'program.mjs',
  );
  const { stdout, stderr } = await sandbox.fentry('bt', '--waiting', String(pid));
  assert.match(stdout, /\n\nworker 1 .*: 1 suspended async call; it stood still/, stderr);
  assert.match(stdout, /\n1 × inWorker, waiting at worker\.mjs:1\n/);
  assert.equal(stdout.includes('\u001b'), false);
});

test('a process that dies while it is asked is an error, not a hang', async (t) => {
  const sandbox = new Sandbox(t);
  const { pid, child } = await startPlain(
    sandbox,
    `globalThis.ballast = Array.from({ length: 2e5 }, (_, i) => ({ i, text: 'x' + i }));
    console.log('ready');
    setInterval(() => {}, 1000);`,
  );
  child.stderr?.on('data', (text) => String(text).includes('attached') && setTimeout(() => child.kill('SIGKILL'), 100));
  const ended = once(child, 'exit');
  const { code, stdout } = await sandbox.fentry('bt', '--waiting', String(pid));
  await ended;
  assert.equal(code, 1, stdout);
});

/** 2,000 chains of 3 calls, 100 batches of 9, 1,999 that share a promise, and one call in 1,000 of its own. */
const MANY = `
const held = [];
async function query(id) {
  await new Promise((resolve) => held.push(resolve));
  return id;
}
const acquire = async (id) => (await query(id)) + 1;
async function handler(id) {
  return (await acquire(id)) + 1;
}
for (let id = 0; id < 2000; id++) handler(id);
async function batch() {
  await Promise.all(Array.from({ length: 9 }, query));
}
for (let i = 0; i < 100; i++) batch();
const connection = query(0);
async function cached(id) {
  if (id < 0) await 0;
  await connection;
}
for (let id = 0; id < 1999; id++) cached(id);
async function walk(depth) {
  if (depth > 0) await walk(depth - 1);
  else await connection;
}
walk(999);
setTimeout(() => console.log('ready'), 10);
setInterval(() => {}, 1000);
`;

test('10,000 suspended calls are counted as the program has made them', async (t) => {
  const sandbox = new Sandbox(t);
  const { pid } = await startPlain(sandbox, MANY, 'program.mjs');
  const { stdout, stderr } = await sandbox.fentry('bt', '--waiting', '--json', String(pid));
  const [main] = (JSON.parse(stdout) as WaitingAnswer).threads;
  assert.equal(main?.suspended, 10_000, stderr);
  const rows = main.calls.map(({ name, count, waitsFor, repeated, awaits }) => {
    const below = waitsFor === undefined ? '' : ` of ${main.calls[waitsFor]?.name}`;
    return `${count} ${name}${below}${repeated === undefined ? '' : ` +${repeated}`} :${awaits?.line}`;
  });
  assert.deepEqual([...rows].sort(), [
    '1 walk of query :24',
    '1 walk of walk +998 :23',
    '100 batch of query :13',
    '1999 cached of query :19',
    '2000 acquire of query :7',
    '2000 handler of acquire :9',
    '2901 query :4',
  ]);
});

test('two who ask at once are both told of an async recursion that is 10,000 deep', async (t) => {
  const sandbox = new Sandbox(t);
  const { pid } = await startPlain(
    sandbox,
    `async function grow(n) {
       await null;
       return n === 0 ? new Promise((resolve) => { globalThis.resolve = resolve; }) : (await grow(n - 1)) + 1;
     }
     globalThis.grown = grow(10000);
     setInterval(() => {}, 1000);
     setTimeout(() => console.log('ready'), 1);`,
  );
  const answers = await Promise.all([1, 2].map(() => sandbox.fentry('bt', '--waiting', String(pid))));
  for (const { code, stdout, stderr } of answers) {
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^main thread: 10,000 suspended async calls;/);
    assert.match(stdout, /\n {4}\(it calls itself 9,999 times more\)\n/);
  }
});
