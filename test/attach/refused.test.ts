import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { CLI, finished, Sandbox, until } from '../e2e/support/program.js';
import { startPlain } from './plain-program.js';

const IDLE = `setInterval(() => {}, 1000);\nconsole.log('ready');\n`;

test('a process that does not exist is refused', async (t) => {
  const { code, stderr } = await new Sandbox(t).fentry('attach', '4194305');
  assert.deepEqual([code, stderr], [1, 'fentry attach: there is no process 4194305 (ESRCH)\n']);
});

test('a process that is not Node is refused, and gets no signal', async (t) => {
  const sleeper = spawn('sleep', ['60']);
  t.after(() => sleeper.kill());
  await once(sleeper, 'spawn');
  const { code, stderr } = await new Sandbox(t).fentry('attach', String(sleeper.pid));
  assert.equal(code, 1);
  assert.match(stderr, /does not run Node\.js: it runs (sleep|coreutils|busybox).* \(EINVAL\)/);
  assert.equal(sleeper.signalCode, null);
});

test('a stopped process is refused with what to do', async (t) => {
  const sandbox = new Sandbox(t);
  const { child, pid } = await startPlain(sandbox, IDLE);
  child.kill('SIGSTOP');
  await until(() => /^State:\tT/m.test(readFileSync(`/proc/${pid}/status`, 'utf8')), 'it is stopped');
  const { stderr } = await sandbox.fentry('attach', String(pid));
  assert.equal(stderr, `fentry attach: process ${pid} is stopped (SIGSTOP); kill -CONT resumes it (EAGAIN)\n`);
  child.kill('SIGCONT');
  const attached = await sandbox.fentry('attach', '--timeout', '80', String(pid));
  assert.equal(attached.code, 0, attached.stderr);
});

test('a process in a synchronous child process is said to wait for it', async (t) => {
  const sandbox = new Sandbox(t);
  const gate = `${sandbox.folder}/gate`;
  const wait = `echo ready; while ! test -e ${gate}; do sleep 0.1; done`;
  // The child process says that it is ready, so the program waits for it.
  const source = `require('node:child_process').execSync(${JSON.stringify(wait)}, { stdio: 'inherit' });\n`;
  const { pid } = await startPlain(sandbox, source);
  const { code, stderr } = await sandbox.fentry('attach', '--timeout', '1', String(pid));
  assert.equal(code, 1);
  assert.match(stderr, /does not open its inspector: it waits for its child process \d+ \(\/bin\/sh -c .*\).* \(ETIMEDOUT\)/);
  sandbox.file('gate', '');
});

test('a program without a SIGUSR1 handler is not killed by it', async (t) => {
  const sandbox = new Sandbox(t);
  const flag = '--disable-sigusr1';
  if (!process.allowedNodeEnvironmentFlags.has(flag)) return t.skip(`Node ${process.version} has no ${flag}`);
  const { child, pid } = await startPlain(sandbox, IDLE, 'program.cjs', [flag]);
  const { stderr } = await sandbox.fentry('attach', String(pid));
  assert.match(stderr, /has no handler for SIGUSR1 .* \(EAGAIN\)/);
  assert.equal(child.signalCode, null);
});

test('a port that another process has is named, with that process', async (t) => {
  const sandbox = new Sandbox(t);
  const listener = createServer().listen(0, '127.0.0.1');
  t.after(() => listener.close());
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  const { pid } = await startPlain(sandbox, IDLE, 'program.cjs', [`--inspect-port=${port}`]);
  const { stderr } = await sandbox.fentry('attach', '--timeout', '1', String(pid));
  assert.match(stderr, new RegExp(`port ${port}, .* is used by process ${process.pid} \\(EBUSY\\)`));
});

test('a process that was started with fentry keeps it', async (t) => {
  const sandbox = new Sandbox(t);
  const { pid } = await sandbox.start(IDLE);
  assert.equal((await sandbox.fentry('attach', String(pid))).stdout, `fentry is already in process ${pid}\n`);
  const { code, stderr } = await sandbox.fentry('detach', String(pid));
  assert.equal(code, 1);
  assert.match(stderr, /this process was started with fentry, which cannot be removed: turn tracing off instead \(EINVAL\)/);
});

test('a program with its own SIGUSR1 handler gets one signal, and attaching fails', async (t) => {
  const sandbox = new Sandbox(t);
  const source = `process.on('SIGUSR1', () => console.log('signal'));\n${IDLE}`;
  const { child, pid } = await startPlain(sandbox, source);
  let heard = '';
  child.stdout!.on('data', (chunk) => {
    heard += chunk;
  });
  const { code, stderr } = await sandbox.fentry('attach', '--timeout', '2', String(pid));
  assert.equal(code, 1);
  assert.match(stderr, /it is idle, and may have its own SIGUSR1 handler \(ETIMEDOUT\)/);
  await until(() => heard !== '', 'the signal came');
  assert.equal(heard, 'signal\n');
});

/** Where there can be no control socket, by a file and a folder of the sandbox; and what is said. */
const NO_SOCKET = [
  { what: 'in a file', folder: (sandbox: Sandbox) => join(sandbox.file('no-folder', ''), 'run'), errno: 'ENOTDIR' },
  { what: 'in /proc', folder: () => '/proc/fentry', errno: 'ENOENT' },
  { what: 'with too long a name', folder: (sandbox: Sandbox) => join(sandbox.folder, 'x'.repeat(100)), errno: 'ENAMETOOLONG' },
] as const;

for (const { what, folder, errno } of NO_SOCKET) {
  test(`nothing is loaded where there can be no control socket: ${what}`, async (t) => {
    const sandbox = new Sandbox(t);
    const { child, pid } = await startPlain(sandbox, IDLE);
    const threads = (): number => readdirSync(`/proc/${pid}/task`).length;
    const before = threads();
    const env = { FENTRY_DIR: folder(sandbox) };
    for (const words of [[], ['--native']]) {
      const { code, stderr } = await finished(sandbox.spawn([CLI, 'attach', ...words, String(pid)], env));
      assert.equal(code, 1);
      assert.match(stderr, new RegExp(`^fentry attach: /.*\\(${errno}\\)\\n$`));
    }
    assert.equal(threads(), before);
    const attached = await sandbox.fentry('attach', '--timeout', '80', String(pid));
    assert.equal(attached.code, 0, attached.stderr);
    child.kill();
  });
}
