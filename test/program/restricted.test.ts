import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { finished, PRELOAD, Sandbox, until } from '../e2e/support/program.js';

const SMALL = `
function f() { return 1; }
f();
console.log('ran', f());
setTimeout(function later() { console.log('later'); }, 20);
`;

test('a program runs on at once where the control thread finds no file descriptors left, and says so', (t) => {
  const sandbox = new Sandbox(t);
  const program = sandbox.file('small.cjs', SMALL);
  let starved = 0;
  // How many descriptors are too few for a worker, and enough for the program, is each Node's own.
  for (let limit = 18; limit < 28; limit++) {
    const command = `ulimit -n ${limit}; exec ${process.execPath} --import ${PRELOAD} ${program}`;
    // Waited for in vain, the control thread costs a minute.
    const options = { env: sandbox.env({ FENTRY: 'ftrace=function' }), encoding: 'utf8', timeout: 50_000 } as const;
    const { status, signal, stdout, stderr } = spawnSync('sh', ['-c', command], options);
    assert.notEqual(signal, 'SIGTERM', `with ${limit} descriptors it does not end`);
    if (!stderr.includes('the control thread has ended: Worker initialization failure')) continue;
    starved++;
    assert.deepEqual([status, stdout], [0, 'ran 1\nlater\n']);
  }
  assert.notEqual(starved, 0, 'there is such a limit');
});

const PERMISSION = process.allowedNodeEnvironmentFlags.has('--permission') ? '--permission' : '--experimental-permission';

test('a busy thread under a permission model without the inspector obeys when it is done, and nothing aborts', async (t) => {
  const sandbox = new Sandbox(t);
  const program = sandbox.file(
    'busy.cjs',
    `
const fs = require('node:fs');
function f(n) { return n + 1; }
const waiting = setInterval(function look() {
  if (!fs.existsSync('begin')) return;
  clearInterval(waiting);
  fs.writeFileSync('busy', '');
  const end = performance.now() + 3000;
  for (let n = 0; performance.now() < end; ) n = f(n);
  setTimeout(function ended() { console.log(f(1)); }, 100);
}, 10);
`,
  );
  const flags = [PERMISSION, '--allow-worker', '--allow-fs-read=*', '--allow-fs-write=*', '--no-warnings'];
  const child = sandbox.spawn([...flags, '--import', PRELOAD, program]);
  await until(() => existsSync(`${sandbox.sockets}/${child.pid}.sock`), 'the socket is there');
  sandbox.file('begin', '');
  await until(() => existsSync(`${sandbox.folder}/busy`), 'the program is busy');
  await sandbox.client(child.pid!).write('current_tracer', 'function');
  const { code, signal, stdout, stderr } = await finished(child);
  assert.deepEqual([code, signal, stdout], [0, null, '2\n'], stderr);
});

const noNative = process.arch !== 'x64' && `machine code of ${process.arch} is not traced in the own process`;

test('under a permission model, native text is traced only where processes and addons are allowed', {
  skip: noNative,
}, async (t) => {
  const sandbox = new Sandbox(t);
  const program = sandbox.file('waits.cjs', 'process.stdin.resume();');
  const flags = [PERMISSION, '--allow-worker', '--allow-fs-read=*', '--allow-fs-write=*', '--no-warnings'];
  const refused = async (...allowed: readonly string[]): Promise<string> => {
    const child = sandbox.spawn([...flags, ...allowed, '--import', PRELOAD, program], { FENTRY: 'native' });
    await until(() => existsSync(`${sandbox.sockets}/${child.pid}.sock`), 'the socket is there');
    const log = await sandbox.client(child.pid!).read('error_log');
    const { code, stderr } = await finished(child);
    assert.equal(code, 0, stderr);
    assert.ok(stderr.startsWith('fentry: FENTRY: native: EPERM: '), stderr);
    return log;
  };
  assert.match(
    await refused('--allow-addons'),
    /error: native: EPERM: text cannot be changed: the permission model asks for --allow-child-process\n/,
  );
  assert.match(
    await refused('--allow-child-process'),
    /error: native: EPERM: machine code cannot be loaded: the permission model asks for --allow-addons\n/,
  );
});
