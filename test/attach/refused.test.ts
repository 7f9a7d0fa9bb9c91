import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { Sandbox } from '../e2e/support/program.js';
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
  const { stderr } = await sandbox.fentry('attach', String(pid));
  assert.equal(stderr, `fentry attach: process ${pid} is stopped (SIGSTOP); kill -CONT has it go on (EAGAIN)\n`);
  child.kill('SIGCONT');
  const attached = await sandbox.fentry('attach', '--timeout', '25', String(pid));
  assert.equal(attached.code, 0, attached.stderr);
});

test('a process in a synchronous child process is said to wait for it', async (t) => {
  const sandbox = new Sandbox(t);
  const source = `console.log('ready');\nrequire('node:child_process').spawnSync('sleep', ['60']);\n`;
  const { pid } = await startPlain(sandbox, source);
  const { code, stderr } = await sandbox.fentry('attach', '--timeout', '1', String(pid));
  assert.equal(code, 1);
  assert.match(stderr, /does not open its inspector: it waits for its child process \d+ \(sleep 60\).* \(ETIMEDOUT\)/);
});

test('a program that is deaf to SIGUSR1 is not killed by it', async (t) => {
  const sandbox = new Sandbox(t);
  const flag = '--disable-sigusr1';
  if (!process.allowedNodeEnvironmentFlags.has(flag)) return t.skip(`Node ${process.version} has no ${flag}`);
  const { child, pid } = await startPlain(sandbox, IDLE, 'program.cjs', [flag]);
  const { stderr } = await sandbox.fentry('attach', String(pid));
  assert.match(stderr, /does not take SIGUSR1 .* \(EAGAIN\)/);
  assert.equal(child.signalCode, null);
});

test('a port that another process has is named, with that process', async (t) => {
  const sandbox = new Sandbox(t);
  const listener = await startPlain(
    sandbox,
    `require('node:net').createServer().listen(0, '127.0.0.1', function () { process.stderr.write(this.address().port + '\\n'); console.log('ready'); });`,
    'listener.cjs',
    [],
  );
  const port = Number(String((await once(listener.child.stderr!, 'data'))[0]));
  const { pid } = await startPlain(sandbox, IDLE, 'program.cjs', [`--inspect-port=${port}`]);
  const { stderr } = await sandbox.fentry('attach', '--timeout', '1', String(pid));
  assert.match(stderr, new RegExp(`port ${port}, .* is taken by process ${listener.pid} \\(EBUSY\\)`));
});

test('a process that was started with fentry keeps it', async (t) => {
  const sandbox = new Sandbox(t);
  const { pid } = await sandbox.start(IDLE);
  assert.equal((await sandbox.fentry('attach', String(pid))).stdout, `fentry runs in process ${pid} already\n`);
  const { code, stderr } = await sandbox.fentry('detach', String(pid));
  assert.equal(code, 1);
  assert.match(stderr, /this process was started with fentry, whose sites stay: turn tracing off instead \(EINVAL\)/);
});

test('a program with a SIGUSR1 handler of its own gets one signal, and is given up', async (t) => {
  const sandbox = new Sandbox(t);
  const source = `process.on('SIGUSR1', () => console.log('signal'));\n${IDLE}`;
  const { child, pid } = await startPlain(sandbox, source);
  let heard = '';
  child.stdout!.on('data', (chunk) => {
    heard += chunk;
  });
  const { code, stderr } = await sandbox.fentry('attach', '--timeout', '2', String(pid));
  assert.equal(code, 1);
  assert.match(stderr, /it is idle, and may have a SIGUSR1 handler of its own \(ETIMEDOUT\)/);
  assert.equal(heard, 'signal\n');
});
