import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { finished, REQUIRED, Sandbox, until } from './support/program.js';

/** How a program went: it prints how many threads it had more than one without fentry, in the main module. */
const COUNTING = `
  function threads() { return require('node:fs').readdirSync('/proc/self/task').length; }
  function one() { return 1; }
  console.log(threads(), one());
`;

/** Programs in their folder, with a cache that knows none of them. */
function unknown(t: TestContext, text: string) {
  const sandbox = new Sandbox(t, { hasOwnCache: true });
  return { sandbox, args: ['--require', REQUIRED, sandbox.file('program.cjs', text)] };
}

/** Runs a program until fentry knows that it ends soon. */
async function learned(t: TestContext, text: string, env: NodeJS.ProcessEnv = {}) {
  const { sandbox, args } = unknown(t, text);
  // The first run parses texts and compiles fentry, and need not be brief on a slow machine; one later run is.
  for (let i = 0; i < 3; i++) await sandbox.run(args, env);
  return { sandbox, args };
}

/** Starts a program, and waits until it is in its loop. */
async function looping(sandbox: Sandbox, args: readonly string[]) {
  const running = sandbox.spawn(args, { STAY: '1' });
  let printed = '';
  running.stdout!.setEncoding('utf8').on('data', (part: string) => {
    printed += part;
  });
  await until(async () => printed.includes('in the loop'), 'it is in its loop');
  return running;
}

const hasSocket = (sandbox: Sandbox, { pid }: ChildProcess): boolean => existsSync(join(sandbox.sockets, `${pid}.sock`));

const LOOPING = `${COUNTING} if (process.env.STAY) { console.log('in the loop'); for (;;) one(); }`;

test('a command has no thread of fentry while it loads, when it first runs and when it ended soon', async (t) => {
  const { sandbox, args } = unknown(t, COUNTING);
  const plain = (await sandbox.run(args.slice(2))).stdout;
  for (let i = 0; i < 3; i++) assert.equal((await sandbox.run(args)).stdout, plain);
  assert.equal((await sandbox.run(args, { FENTRY_CACHE: '' })).stdout, plain, 'without a cache');
  const asked = await sandbox.run(args, { FENTRY: 'trace_buf_size=64K' });
  assert.notEqual(asked.stdout, plain, 'FENTRY asks for one');
});

test('it can be reached as soon as it waits for something', async (t) => {
  const { sandbox, args } = await learned(t, `${COUNTING} if (process.env.STAY) process.stdin.on('end', one).resume();`);
  const running = sandbox.spawn(args, { STAY: '1' });
  await until(async () => existsSync(join(sandbox.sockets, `${running.pid}.sock`)), 'it has a socket');
  assert.match((await sandbox.fentry('list', '-f', 'one')).stdout, /^one +\S+:\d+$/m);
  assert.equal((await finished(running)).code, 0);
});

test('one that never ends is reached by any verb, without a word of its id', async (t) => {
  const { sandbox, args } = unknown(t, LOOPING);
  const running = await looping(sandbox, args);
  const { stdout, stderr, code } = await sandbox.fentry('start', '-p', 'function', '-l', 'one');
  assert.equal(code, 0, stderr);
  assert.equal(stdout, '');
  assert.match(
    stderr,
    new RegExp(
      `^fentry: process ${running.pid} \\(program\\.cjs\\) is still in the first turn of its event loop: fentry's thread is started in it through its inspector\\n$`,
    ),
  );
  await until(async () => / one <-/.test((await sandbox.fentry('show')).stdout), 'its calls are seen');
});

test('ps lists it, and completion leaves it alone', async (t) => {
  const { sandbox, args } = unknown(t, LOOPING);
  const running = await looping(sandbox, args);
  await until(async () => (await sandbox.fentry('ps')).stdout.includes('program.cjs'), 'it has run for some time');
  assert.equal((await sandbox.fentry('completion', '--words', 'fentry start -l ')).code, 0);
  assert.equal(hasSocket(sandbox, running), false);
});

test('one that is killed in its loop has a socket at once when it runs again', async (t) => {
  const { sandbox, args } = await learned(t, LOOPING);
  const running = await looping(sandbox, args);
  assert.equal(hasSocket(sandbox, running), false);
  assert.match((await sandbox.fentry('attach', String(running.pid))).stdout, /^attached to process/);
  running.kill('SIGKILL');
  const again = await looping(sandbox, args);
  await until(async () => hasSocket(sandbox, again), 'it has a socket');
});

test('a process that has ended meanwhile, or has no fentry, is told of as before', async (t) => {
  const { sandbox, args } = unknown(t, LOOPING);
  const plain = await looping(sandbox, args.slice(2));
  const { code, stderr } = await sandbox.fentry('start', '--pid', String(plain.pid));
  assert.equal(code, 1);
  assert.match(stderr, /does not run with fentry, or has no socket.*to get into it: fentry attach/);
});

test('its workers are traced, and import() has sites', async (t) => {
  const { sandbox, args } = await learned(t, "const { Worker } = require('node:worker_threads');\nfunction one() {}\n");
  sandbox.file('module.mjs', 'export function inModule() { return 2; }\ninModule();\n');
  sandbox.file('worker.cjs', 'function inWorker() { return 1; }\ninWorker();\nsetInterval(inWorker, 20);\n');
  sandbox.file(
    'program.cjs',
    `const { Worker } = require('node:worker_threads');
     new Worker('./worker.cjs');
     import('./module.mjs').then(({ inModule }) => setInterval(inModule, 20));
     function one() {}`,
  );
  sandbox.spawn(args);
  const functions = async () => (await sandbox.fentry('list', '-f')).stdout;
  await until(async () => /inWorker/.test(await functions()) && /inModule/.test(await functions()), 'both are listed');
});
