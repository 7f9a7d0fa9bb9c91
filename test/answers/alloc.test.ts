import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import type { AllocatingThread, AllocationsAnswer } from '../../src/answers/allocations/allocations-answer.js';
import { listeningPorts } from '../../src/cli/attach/listening-ports.js';
import { startPlain } from '../attach/plain-program.js';
import { Sandbox } from '../e2e/support/program.js';

/** V8's compilers must not put a function that is often called into its caller: its bytes would be the caller's. */
const PROGRAM = `require('node:v8').setFlagsFromString('--no-opt'); require('node:v8').setFlagsFromString('--no-maglev');
const kept = [];
function waste() {
  return Array.from({ length: 2000 }, (_, i) => ({ i })).length;
}
function remember() {
  const entry = [];
  for (let i = 0; i < 500; i++) entry.push({ i, text: 'x' });
  kept.push(entry);
  if (kept.length > 2000) kept.length = 0;
}
function turn() {
  waste();
  remember();
}
setInterval(turn, 2);
console.log('ready');
`;

/** Name, line, and whether all, and whether some of it lives on. */
function assertFound(thread: AllocatingThread | undefined, folder: string): void {
  assert.equal(thread?.silence, undefined);
  const one = (name: string) => thread?.functions.find((found) => found.name === name);
  const [remember, waste] = [one('remember'), one('<anonymous>') ?? one('waste')];
  assert.deepEqual([remember?.place?.file, remember?.place?.line], [`${folder}/program.cjs`, 6]);
  assert.equal(remember?.isOwn, true);
  assert.ok(remember.allocated > 0 && remember.kept > 0, JSON.stringify(remember));
  assert.equal(waste?.place?.line, waste?.name === 'waste' ? 3 : 4);
  assert.ok(waste.allocated > 0, JSON.stringify(waste));
  assert.ok(thread!.after.heapUsed > 0 && thread!.before.rss > 0);
}

test('a process without fentry says which functions allocate and whose memory lives on; nothing stays behind', async (t) => {
  const sandbox = new Sandbox(t);
  const { pid, child } = await startPlain(sandbox, PROGRAM);
  const before = listeningPorts(pid);
  const { code, stdout, stderr } = await sandbox.fentry('alloc', '-d', '2', '--json', String(pid));
  assert.equal(code, 0, stderr);
  const answer = JSON.parse(stdout) as AllocationsAnswer;
  assert.deepEqual([answer.answer, answer.version, answer.application], ['allocations', 1, sandbox.folder]);
  assertFound(answer.threads[0], sandbox.folder);
  assert.deepEqual(listeningPorts(pid), before);
  assert.equal(child.exitCode, null);
});

test('with fentry in it the same, also for one that comes after a client that was killed', async (t) => {
  const sandbox = new Sandbox(t);
  const child = await sandbox.start(PROGRAM);
  const client = sandbox.spawnFentry('alloc', '-d', '600');
  const trace = sandbox.client(child.pid);
  setTimeout(() => client.kill('SIGKILL'), 1000);
  await once(client, 'exit');
  const text = (await sandbox.fentry('alloc', '-d', '2')).stdout;
  assert.match(text, /^main thread: .* allocated in .* that lives on; it stood still for \d+\.\d\d s at most\nheap .* Buffers /);
  assert.match(text, /\n +\d\S+ \S+ +\S+ \S+ {2}remember {2,}program\.cjs:6\n/);
  assertFound(
    (JSON.parse(await trace.read('answers/allocations_seconds/1.json')) as AllocationsAnswer).threads[0],
    sandbox.folder,
  );
  const stacks = (await sandbox.fentry('alloc', '-d', '1', '--flame-graph')).stdout;
  assert.match(stacks, /^main thread;.*;turn \(program\.cjs:12\);remember \(program\.cjs:6\) \d+$/m);
  assert.equal((await sandbox.fentry('cat', 'answers/allocations_seconds/0')).code, 1);
});

test('a thread that a busy loop holds answers; a program that ends while it is sampled ends as ever', async (t) => {
  const sandbox = new Sandbox(t);
  const { child } = await startPlain(
    sandbox,
    `function spin() { for (;;) globalThis.last = [{}]; }
    console.log('ready');
    setTimeout(spin, 10);`,
  );
  const running = sandbox.fentry('alloc', '-d', '1', String(child.pid));
  assert.match((await running).stdout, / spin {2,}program\.cjs:1\n/);
  const prepared = await sandbox.start(
    `setInterval(() => { globalThis.last = [{}]; }, 1); setTimeout(() => process.exit(7), 2500);`,
  );
  let said = '';
  prepared.stderr?.on('data', (text) => (said += String(text)));
  const asked = sandbox.fentry('alloc', '-d', '60', String(prepared.pid));
  const [code] = await once(prepared, 'exit');
  assert.deepEqual([code, said], [7, '']);
  assert.equal((await asked).code, 1);
});

test('a thread that is mostly in Node’s own code answers each time', async (t) => {
  const sandbox = new Sandbox(t);
  const { pid } = await startPlain(
    sandbox,
    `setImmediate(function next() { for (let i = 0; i < 50; i++) process.nextTick(() => {}); setImmediate(next); });
    console.log('ready');`,
  );
  for (let i = 0; i < 3; i++) {
    const { code, stdout } = await sandbox.fentry('alloc', '-d', '1', String(pid));
    assert.equal(code, 0, stdout);
  }
});

test('workers are sampled; one that ends meanwhile is said to, and does nothing else', async (t) => {
  const sandbox = new Sandbox(t);
  const { pid, child } = await startPlain(
    sandbox,
    `const { Worker } = require('node:worker_threads');
    const { url } = require('node:inspector');
    const body = 'function inWorker() { globalThis.last = Array(500).fill(0).map((i) => [i]); } setInterval(inWorker, 1);';
    new Worker(body, { eval: true, name: 'stays' });
    const worker = new Worker(body + 'require("node:worker_threads").parentPort.on("message", () => process.exit());', { eval: true, name: 'ends' });
    const look = setInterval(() => {
      if (url() === undefined) return;
      clearInterval(look);
      setTimeout(() => worker.postMessage(''), 1500);
    }, 10);
    worker.once('online', () => setTimeout(() => console.log('ready'), 300));`,
  );
  const { stdout, stderr } = await sandbox.fentry('alloc', '-d', '5', String(pid));
  assert.match(stdout, /\nworker 1 \(stays\): \S+ \S+ allocated/, stderr);
  assert.match(stdout, /\nworker 2 \(ends\): not sampled: it (?:has ended meanwhile|does not answer)/);
  assert.equal(child.exitCode, null);
});

test('somebody else’s sampling is not disturbed', async (t) => {
  const sandbox = new Sandbox(t);
  const { pid } = await startPlain(sandbox, PROGRAM, 'program.cjs', ['--inspect-port=0', '--heap-prof']);
  const { code, stdout } = await sandbox.fentry('alloc', '-d', '1', String(pid));
  assert.equal(code, 1);
  assert.match(stdout, /^main thread: not sampled: it is sampled already/);
});
