import assert from 'node:assert/strict';
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

/** Runs a program until fentry knows that it ends soon. */
async function learned(t: TestContext, text: string, env: NodeJS.ProcessEnv = {}) {
  const sandbox = new Sandbox(t, { hasOwnCache: true });
  const args = ['--require', REQUIRED, sandbox.file('program.cjs', text)];
  // The first run parses texts and compiles fentry, and need not be brief on a slow machine; one later run is.
  for (let i = 0; i < 3; i++) await sandbox.run(args, env);
  return { sandbox, args };
}

test('a command that ended soon when it last ran has no thread of fentry while it loads', async (t) => {
  const { sandbox, args } = await learned(t, COUNTING);
  const plain = (await sandbox.run(args.slice(2))).stdout;
  assert.equal((await sandbox.run(args)).stdout, plain);
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

test('one that never ends this time is reached by attach, and has a socket at once when it runs again', async (t) => {
  const text = `${COUNTING} if (process.env.STAY) { console.log('in the loop'); for (;;) one(); }`;
  const { sandbox, args } = await learned(t, text);
  const running = sandbox.spawn(args, { STAY: '1' });
  let printed = '';
  running.stdout!.setEncoding('utf8').on('data', (part: string) => {
    printed += part;
  });
  await until(async () => printed.includes('in the loop'), 'it is in its loop');
  assert.match((await sandbox.fentry('attach', String(running.pid))).stdout, /^attached to process/);
  await sandbox.fentry('start', '-p', 'function', '-l', 'one');
  await until(async () => / one <-/.test((await sandbox.fentry('show')).stdout), 'its calls are seen');
  running.kill('SIGKILL');
  const again = sandbox.spawn(args, { STAY: '1' });
  await until(async () => existsSync(join(sandbox.sockets, `${again.pid}.sock`)), 'it has a socket');
  again.kill('SIGKILL');
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
