import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { listeningPorts } from '../../src/cli/attach/listening-ports.js';
import { Sandbox, until } from '../e2e/support/program.js';
import { startPlain } from './plain-program.js';

const IDLE = `
setInterval(() => {}, 1000);
console.log('ready');
`;
const ENDLESS = `
console.log('ready');
function f(n) { return n + 1; }
for (let s = 0; ; s = f(s) % 1000);
`;
const MICROTASKS = `
console.log('ready');
const step = async () => { await null; };
for (;;) await step();
`;
const ATOMICS_WAIT = `
console.log('ready');
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
`;

const BUSY: readonly (readonly [string, string, string])[] = [
  ['an idle CommonJS program', IDLE, 'program.cjs'],
  ['an idle ES module', IDLE, 'program.mjs'],
  ['an endless loop', ENDLESS, 'program.cjs'],
  ['a loop that only awaits microtasks', MICROTASKS, 'program.mjs'],
  ['a program in Atomics.wait', ATOMICS_WAIT, 'program.cjs'],
];

for (const [what, source, name] of BUSY) {
  test(`fentry comes into ${what}, switches its tracer, goes, and comes again`, async (t) => {
    const sandbox = new Sandbox(t);
    const { pid, child } = await startPlain(sandbox, source, name);
    for (let round = 0; round < 2; round++) {
      const attached = await sandbox.fentry('attach', '--timeout', '80', String(pid));
      assert.equal(attached.code, 0, attached.stderr);
      assert.match(attached.stdout, /^attached to process \d+: /);
      const again = await sandbox.fentry('attach', String(pid));
      assert.deepEqual([again.code, again.stdout], [0, `fentry is already in process ${pid}\n`]);
      const written = await sandbox.fentry('write', 'current_tracer', 'function');
      assert.equal(written.code, 0, written.stderr);
      assert.equal((await sandbox.fentry('cat', 'current_tracer')).stdout, 'function\n');
      const detached = await sandbox.fentry('detach', String(pid));
      assert.equal(detached.code, 0, detached.stderr);
      assert.equal(existsSync(join(sandbox.sockets, `${pid}.sock`)), false);
      assert.equal(child.exitCode, null);
    }
  });
}

/** Loads a module of each kind whenever it is asked to, and prints what `Late` sees of fentry. */
const LOADER = `
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
const require = createRequire(import.meta.url);
const views = () => [
  Function.prototype.toString.toString(), Function.prototype.toString.name,
  Object.keys(Object.getOwnPropertyDescriptor(Error, 'prepareStackTrace') ?? {}).join(),
  Object.hasOwn(process, 'emit'), Reflect.ownKeys(process).filter((key) => String(key).includes('fentry')).length,
  Object.getOwnPropertyNames(globalThis).length,
  require('node:fs').promises.readFile.name, require('node:module').prototype._compile.toString().length > 0,
];
let loaded = [];
const calls = setInterval(() => { for (const one of loaded) one.work(1); }, 5);
createInterface({ input: process.stdin }).on('line', async (line) => {
  if (line === 'views') console.log('views ' + JSON.stringify(views()));
  else {
    loaded = [require('./' + line + '.cjs'), await import('./' + line + '.mjs')];
    console.log('loaded ' + loaded[0].work.toString());
  }
});
console.log('ready');
`;

test('what an attached program loads later has sites, and looks as its author wrote it also after detach', async (t) => {
  const sandbox = new Sandbox(t);
  const text = 'function work(n) { return n + 1; }';
  for (const kind of ['cjs', 'mjs']) {
    sandbox.file(`late.${kind}`, `${text}\n${kind === 'cjs' ? 'exports.work = work' : 'export { work }'};\n`);
  }
  const { child, pid } = await startPlain(sandbox, LOADER, 'program.mjs');
  const ask = (line: string): Promise<string> =>
    new Promise((resolve) => {
      child.stdout!.once('data', (chunk) => resolve(String(chunk).trimEnd()));
      child.stdin!.write(`${line}\n`);
    });
  const before = await ask('views');
  await sandbox.fentry('attach', '--timeout', '80', String(pid));
  await sandbox.fentry('detach', String(pid));
  assert.equal(await ask('views'), before, 'without a text with sites nothing is left');

  await sandbox.fentry('attach', '--timeout', '80', String(pid));
  assert.equal(await ask('late'), `loaded ${text}`);
  await until(
    async () => /work\n(.*\n)*work/.test((await sandbox.fentry('cat', 'available_filter_functions')).stdout),
    'both modules are listed',
  );
  assert.equal((await sandbox.fentry('write', 'set_ftrace_filter', 'work')).code, 0);
  assert.equal((await sandbox.fentry('write', 'current_tracer', 'function_graph')).code, 0);
  await until(async () => /\| {2}work\(\);/.test((await sandbox.fentry('cat', 'trace')).stdout), 'work is traced');
  assert.equal((await sandbox.fentry('detach', String(pid))).code, 0);
  assert.equal(await ask('late'), `loaded ${text}`, 'the sites that stay are not seen');

  await sandbox.fentry('attach', '--timeout', '80', String(pid));
  assert.equal((await sandbox.fentry('write', 'set_ftrace_filter', 'work')).code, 0, 'those sites are known again');
  assert.equal((await sandbox.fentry('write', 'current_tracer', 'function_graph')).code, 0);
  await until(async () => /\| {2}work\(\);/.test((await sandbox.fentry('cat', 'trace')).stdout), 'work is traced again');
});

test('the inspector listens only while the agent comes in', async (t) => {
  const sandbox = new Sandbox(t);
  const { child, pid } = await startPlain(sandbox, IDLE);
  let said = '';
  child.stderr!.setEncoding('utf8').on('data', (chunk: string) => {
    said += chunk;
  });
  await sandbox.fentry('attach', '--timeout', '80', String(pid));
  await until(() => /ws:\/\/127\.0\.0\.1:\d+/.test(said), 'Node says where its inspector listened');
  const port = /ws:\/\/127\.0\.0\.1:(\d+)/.exec(said)?.[1];
  await assert.rejects(fetch(`http://127.0.0.1:${port}/json/list`));
});

/** Comes back to its event loop only when a file is there, and says so after some turns of it. */
const BUSY_UNTIL = `
const { existsSync } = require('node:fs');
setInterval(() => {}, 1000);
setTimeout(() => {
  console.log('ready');
  function f(n) { return n + 1; }
  for (let s = 0; !existsSync('gate'); s = f(s) % 1000);
  setTimeout(() => setTimeout(() => console.log('turned'), 100), 100);
}, 10);
`;

for (const [when, detaches] of [
  ['an attached', false],
  ['a detached', true],
] as const) {
  test(`the inspector does not listen again when the event loop of ${when} program turns at last`, async (t) => {
    const sandbox = new Sandbox(t);
    const { child, pid } = await startPlain(sandbox, BUSY_UNTIL);
    let printed = '';
    child.stdout!.on('data', (chunk) => {
      printed += chunk;
    });
    const attached = await sandbox.fentry('attach', '--timeout', '80', String(pid));
    assert.equal(attached.code, 0, attached.stderr);
    assert.doesNotMatch(attached.stderr, /inspector/);
    assert.deepEqual(listeningPorts(pid), []);
    if (detaches) assert.equal((await sandbox.fentry('detach', String(pid))).code, 0);
    sandbox.file('gate', '');
    await until(() => printed.includes('turned'), 'the event loop has turned');
    assert.deepEqual(listeningPorts(pid), [], 'nothing listens');
  });
}

test('the agent closes the inspector itself when the command that opened it has ended', async (t) => {
  const sandbox = new Sandbox(t);
  const agent = JSON.stringify(join('dist', 'attach.cjs').replace(/^/, `${process.cwd()}/`));
  const request = JSON.stringify({ socketPath: join(sandbox.sockets, 'one.sock'), closesInspector: true });
  const { pid } = await startPlain(
    sandbox,
    `setInterval(() => {}, 1000);
    process.kill(process.pid, 'SIGUSR1');
    const inspector = require('node:inspector');
    const timer = setInterval(() => {
      if (inspector.url() === undefined) return;
      clearInterval(timer);
      require(${agent}).attach(${request});
      console.log('ready');
    }, 5);`,
  );
  await until(() => listeningPorts(pid).length === 0, 'nothing listens');
});

test('an inspector that does not stay closed is reported', async (t) => {
  const sandbox = new Sandbox(t);
  const { pid } = await startPlain(
    sandbox,
    `const inspector = require('node:inspector');
    let port;
    setInterval(() => {
      const url = inspector.url();
      if (url !== undefined) port ??= Number(new URL(url).port);
      else if (port !== undefined) inspector.open(port);
    }, 5);
    console.log('ready');`,
  );
  const { code, stderr } = await sandbox.fentry('attach', '--timeout', '80', String(pid));
  assert.equal(code, 0, stderr);
  assert.match(stderr, /^fentry: the inspector of process \d+ listens on port \d+, open to every user of this machine$/m);
});

test('an inspector that was open stays open', async (t) => {
  const sandbox = new Sandbox(t);
  const { pid } = await startPlain(sandbox, IDLE, 'program.cjs', ['--inspect=0']);
  const attached = await sandbox.fentry('attach', '--timeout', '80', String(pid));
  assert.equal(attached.code, 0, attached.stderr);
  assert.equal(listeningPorts(pid).length, 1, 'it listens still');
});
