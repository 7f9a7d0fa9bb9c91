import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import type { HeapAnswer, HeapThread } from '../../src/answers/heap/heap-answer.js';
import { heapNameText, pathText } from '../../src/answers/heap/heap-path-text.js';
import { listeningPorts } from '../../src/cli/attach/listening-ports.js';
import { startPlain } from '../attach/plain-program.js';
import { Sandbox } from '../e2e/support/program.js';

/** Grows while somebody asks: a listener, an entry of a cache, a timer with a Buffer, and an item of a list, at a time. */
const PROGRAM = `import { EventEmitter } from 'node:events';
export let head;
const bus = new EventEmitter().setMaxListeners(0);
const cache = new Map();
class Session {}
function open() {
  const session = new Session();
  bus.on('update', function listener() { return session; });
}
function later(i) {
  const big = Buffer.alloc(100_000, i);
  setTimeout(function late() { return big; }, 1e8);
}
setInterval(() => {
  for (let i = 0; i < 10; i++) {
    open();
    cache.set('key' + cache.size, { i });
    head = { next: head };
  }
  later(cache.size);
}, 50);
console.log('ready');
`;

/** What each constructor is held by first: `listener() program.mjs:9 in WAY`. */
const waysOf = ({ constructors }: HeapThread, folder: string): readonly string[] =>
  constructors.flatMap((one) =>
    one.paths.map(({ steps }) => `${heapNameText(one, { folder })} in ${pathText(steps, { folder })}`),
  );

function assertFound({ threads: [thread] }: HeapAnswer, folder: string): void {
  assert.equal(thread?.silence, undefined);
  const ways = waysOf(thread!, folder);
  const bus = 'bus of program.mjs -> EventEmitter#_events -> Object#update -> Array[*]';
  for (const way of [
    `listener() program.mjs:8 in ${bus}`,
    `Session program.mjs:5 in ${bus} -> listener() program.mjs:8 (variable session)`,
    'Object in cache of program.mjs -> Map entry',
    'Object in head of program.mjs -> Object#next ...',
  ]) {
    assert.ok(ways.includes(way), `${way}\n${ways.join('\n')}`);
  }
  assert.match(
    ways.find((way) => way.startsWith('ArrayBuffer in ')) ?? '',
    /TimersList#_idleNext \.\.\. -> Timeout#_onTimeout -> late\(\) program\.mjs:12 \(variable big\) -> Buffer#buffer$/,
  );
  const [listener, session] = ['listener', 'Session'].map((name) =>
    thread!.constructors.find((one) => one.name === name && one.paths.length > 0),
  );
  const growth = listener!.after.count - listener!.before.count;
  assert.ok(growth > 0 && growth === session!.after.count - session!.before.count);
  assert.ok(thread!.holders.some(({ steps }) => pathText(steps, { folder }) === bus));
  assert.ok(thread!.memory[1].arrayBuffers > thread!.memory[0].arrayBuffers);
}

test('a process without fentry says what becomes more and who holds it; nothing stays behind', async (t) => {
  const sandbox = new Sandbox(t);
  const { pid, child } = await startPlain(sandbox, PROGRAM, 'program.mjs');
  const before = listeningPorts(pid);
  const { code, stdout, stderr } = await sandbox.fentry('heap', '-d', '1', '--json', String(pid));
  assert.equal(code, 0, stderr);
  const answer = JSON.parse(stdout) as HeapAnswer;
  assert.deepEqual([answer.answer, answer.version, answer.pid, answer.application], ['heap', 1, pid, sandbox.folder]);
  assertFound(answer, sandbox.folder);
  assert.deepEqual(listeningPorts(pid), before);
  assert.equal(child.exitCode, null);
});

test('with fentry in it the same, also for one that comes after a client that was killed; its own objects are not the program’s', async (t) => {
  const sandbox = new Sandbox(t);
  const child = await sandbox.start(PROGRAM, {}, 'program.mjs');
  const client = sandbox.spawnFentry('heap', '-d', '600');
  setTimeout(() => client.kill('SIGKILL'), 1000);
  await once(client, 'exit');
  const { stdout } = await sandbox.fentry('heap', '-d', '1');
  assert.match(stdout, /^main thread: \S+ objects with .* -> .* in \S+ s; it stood still for \S+ s and \S+ s at most/);
  assert.match(stdout, /\n {17}\+\d+ listener\(\) program\.mjs:8\n/);
  assert.doesNotMatch(stdout, /agent\.cjs/);
  const trace = sandbox.client(child.pid);
  assertFound(JSON.parse(await trace.read('answers/heap_seconds/1_forced.json')) as HeapAnswer, sandbox.folder);
  assert.equal((await sandbox.fentry('cat', 'answers/heap_seconds/0')).code, 1);
});

test('two who ask at once are answered both', async (t) => {
  const sandbox = new Sandbox(t);
  const { pid, child } = await startPlain(sandbox, PROGRAM, 'program.mjs');
  const answers = await Promise.all([1, 2].map(() => sandbox.fentry('heap', '-d', '1', '--json', String(pid))));
  for (const { code, stdout, stderr } of answers) {
    assert.equal(code, 0, stderr);
    assert.ok((JSON.parse(stdout) as HeapAnswer).threads[0]!.constructors.length > 0);
  }
  assert.equal(child.exitCode, null);
});

test('workers are looked at; a program that ends between the points ends as ever, and the command says so', async (t) => {
  const sandbox = new Sandbox(t);
  const worker = sandbox.file('worker.cjs', 'const all = []; setInterval(() => all.push([{}]), 1);');
  const child = await sandbox.start(
    `const { Worker } = require('node:worker_threads');
    const worker = new Worker(${JSON.stringify(worker)}, { name: 'grows' });
    process.stdin.once('data', () => setTimeout(() => process.exit(7), 2000));`,
  );
  const { stdout } = await sandbox.fentry('heap', '-d', '1');
  assert.match(stdout, /\n\nworker \d+ \(grows\): \S+ objects with /);
  assert.match(stdout, / all of worker\.cjs -> Array\[\*\]\n/);
  const asked = sandbox.fentry('heap', '-d', '60');
  child.stdin?.write('end');
  const [code] = await once(child, 'exit');
  assert.equal(code, 7);
  assert.equal((await asked).code, 1);
});
