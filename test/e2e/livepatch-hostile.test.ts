import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PRELOAD, Sandbox, until } from './support/program.js';
import { startWatched } from './support/watched-program.js';

test('after many patches the machine code is as before, and nothing is held', async (t) => {
  const { sandbox, client, ask, code, held } = await startWatched(t);
  const before = await code();
  const idle = await held();
  const plain = sandbox.file('plain.cjs', 'exports.hot = (a) => a');
  const needs = sandbox.file(
    'needs.cjs',
    'exports.klpSymbols = { n: "natives" };\nexports.hot = (a) => a + !exports.klpSymbols.n',
  );
  // What a patch left behind would show: the process must hold exactly what it held.
  for (let i = 0; i < 24; i++) {
    await client.write('livepatch/load', `fix${i} ${i % 6 === 0 ? needs : plain}\n`);
    if (i % 6 === 0) await ask('call');
    assert.equal(await client.read(`livepatch/fix${i}/transition`), '0\n');
    await client.write(`livepatch/fix${i}/enabled`, '0\n');
    await until(async () => (await client.list('livepatch')).length === 3, 'it is gone');
  }
  assert.deepEqual(await held(), idle);
  assert.equal(await client.read('enabled_functions'), '');
  if (before === undefined) return t.skip('this Node prints no optimized code');
  assert.deepEqual(await code(), before);
});

/** Calls that come faster than anything else; each says which code ran it. */
const BUSY = `let calls = 0;
export function total(order) { calls++; return 'old'; }
export async function slow(gate) { await gate; return 'old ' + total(); }
export const count = () => calls;`;
const FIX = `export const klpSymbols = { calls: 'calls' };
export function total(order) { klpSymbols.calls++; return 'new'; }
export async function slow(gate) { await gate; return 'new ' + total(); }`;

const PROGRAM = `
import { Worker, isMainThread } from 'node:worker_threads';
import { setImmediate as turn } from 'node:timers/promises';
import { livepatch } from ${JSON.stringify(PRELOAD)};
import { total, slow, count } from './busy.mjs';
/** Calls total() for some milliseconds a turn, and appends what it says to \`seen\` when that changes. */
const seen = [];
let calls = 0;
let isRunning = true;
const hammer = async () => {
  for (; isRunning; await turn()) {
    for (const end = performance.now() + (isMainThread ? 5 : 1); performance.now() < end; ) {
      for (let i = 0; i < 1000; i++) {
        calls++;
        const one = total({ price: i });
        if (one !== seen.at(-1)) seen.push(one);
      }
    }
  }
};
if (!isMainThread) await hammer();
else {
  const workers = [1, 2, 3].map(() => new Worker(new URL(import.meta.url)));
  await Promise.all(workers.map((one) => new Promise((done) => one.once('online', done))));
  const hammered = hammer();
  const file = new URL('fix.mjs', import.meta.url);
  for (let i = 0; i < 4; i++) {
    const patch = await livepatch({ file, name: 'fix' + i });
    if (i === 1) void workers[0].terminate();
    await patch.settled();
    await turn();
    const undone = patch.disable();
    if (i === 2) void workers[1].terminate();
    await undone;
    await patch.settled();
    if (!patch.isGone) throw new Error('it is there');
    await turn();
  }
  // Undone in the midst of its transition: what waits in the old code goes on there.
  let open;
  const old = slow(new Promise((resolve) => { open = resolve; }));
  const prepared = await livepatch({ file, name: 'undone', prepare: true });
  let openSeen;
  const oldSeen = slow(new Promise((resolve) => { openSeen = resolve; }));
  await prepared.enable();
  const isOpen = prepared.transition;
  await prepared.disable();
  await prepared.settled();
  console.log(isOpen, prepared.isGone);
  open();
  openSeen();
  console.log(await old, await oldSeen, await slow());
  isRunning = false;
  await hammered;
  // A thread that is terminated while a call of the old code waits in it.
  const last = new Worker(new URL('waits.mjs', import.meta.url));
  await new Promise((ready) => last.once('message', ready));
  const transition = await livepatch({ file, name: 'last', prepare: true });
  last.postMessage('wait');
  await new Promise((ready) => last.once('message', ready));
  await transition.enable();
  const before = transition.transition;
  await last.terminate();
  await transition.settled();
  console.log(before, transition.transition);
  console.log(seen.join(' '));
  console.log(count() - calls);
  await Promise.all(workers.map((one) => one.terminate()));
}`;

test('patches of a function that is called all the time, in threads that end: each call runs one code or the other', async (t) => {
  const sandbox = new Sandbox(t);
  sandbox.file('busy.mjs', BUSY);
  sandbox.file('fix.mjs', FIX);
  sandbox.file(
    'waits.mjs',
    `import { parentPort } from 'node:worker_threads';
    import { slow } from './busy.mjs';
    parentPort.on('message', () => { void slow(new Promise(() => {})); parentPort.postMessage('waits'); });
    parentPort.postMessage('ready');`,
  );
  const { stdout, stderr, code } = await sandbox.run(['--import', PRELOAD, sandbox.file('program.mjs', PROGRAM)]);
  assert.deepEqual({ stderr, code }, { stderr: '', code: 0 });
  const [undone, values, terminated, seen, uncounted] = stdout.split('\n');
  assert.deepEqual([undone, values], ['true true', 'old old old old old old']);
  assert.equal(terminated, 'true false', 'a thread that ends is not waited for');
  // The loop may have ended before it called what was old again for the last time.
  assert.match(seen!, /^old( new old){4}( new( old)?)?$/, 'no call goes back to the other code');
  assert.equal(uncounted, '3', 'each call has counted itself, and slow() has called it three times');
});

test('tracers, probes and other breakpoints see a patched function as before', async (t) => {
  const sandbox = new Sandbox(t);
  sandbox.file('busy.mjs', BUSY);
  const program = await sandbox.start(
    `import('./busy.mjs').then(({ total }) => process.stdin.on('data', () => console.log(total({ price: 5 }))))`,
  );
  const client = sandbox.client(program.pid);
  let out = '';
  program.stdout!.on('data', (data) => {
    out += data;
  });
  const call = async (): Promise<string> => {
    out = '';
    program.stdin!.write('\n');
    await until(() => out.endsWith('\n'), 'it has answered');
    return out.trim();
  };
  await until(async () => (await client.read('available_filter_functions')).includes('total'), 'it is loaded');
  await client.write('kprobe_events', 'p:entry total order->price\nr:end total $retval\np:variable total @calls:s32\n');
  await client.write('events/kprobes/enable', '1');
  await client.write('current_tracer', 'function_graph');
  await client.write('livepatch/load', `fix ${sandbox.file('fix.mjs', FIX)}`);
  assert.deepEqual([await call(), await call()], ['new', 'new']);
  const traced = async (): Promise<readonly string[]> =>
    [...(await client.read('trace')).matchAll(/total\(\) \{|(?<=\/\* )\w+: .*(?= \*\/)/g)].map(([found]) => found);
  const lines = await traced();
  const count = (word: RegExp): number => lines.filter((line) => word.test(line)).length;
  assert.deepEqual(
    [count(/^entry: .*price=5/), count(/^end: .*="new"/), count(/^variable: .*arg1=[01]$/), count(/^total/)],
    [2, 2, 2, 2],
    lines.join('\n'),
  );
  await client.write('livepatch/fix/enabled', '0');
  assert.equal(await call(), 'old');
});
