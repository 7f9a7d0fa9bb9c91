import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmodSync, existsSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { CLI, finished, PRELOAD, Sandbox, until } from './support/program.js';

const IDLE = 'function idle() {} idle(); setInterval(() => {}, 1000);';

interface Answer {
  readonly status: number | undefined;
  readonly errno: string | string[] | undefined;
  readonly body: string;
}

function ask(socketPath: string, method: string, path: string, body?: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ socketPath, method, path, agent: false }, async (answer) => {
      resolve({ status: answer.statusCode, errno: answer.headers['fentry-errno'], body: await text(answer) });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

test('the socket is its owner’s alone, and goes with the process', async (t) => {
  const sandbox = new Sandbox(t);
  const program = await sandbox.start('function f() {} f(); process.stdin.resume();');
  const path = join(sandbox.sockets, `${program.pid}.sock`);
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.equal(statSync(sandbox.sockets).mode & 0o777, 0o700);
  assert.equal((await finished(program)).code, 0);
  assert.equal(existsSync(path), false);
});

test('a folder that others can enter gets no socket', async (t) => {
  const sandbox = new Sandbox(t);
  chmodSync(sandbox.sockets, 0o755);
  const path = sandbox.file('short.cjs', 'function f() {} f(); process.stdin.resume();');
  const program = sandbox.spawn(['--import', PRELOAD, path], { FENTRY: 'tracing_thresh=0' });
  let stderr = '';
  program.stderr!.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  await until(() => stderr.endsWith('\n'), 'it has been said');
  assert.equal((await finished(program)).code, 0);
  assert.match(stderr, /^fentry: no control socket: .* has mode 0755: others could enter; it must be 0700\n$/);
  const { code: psCode, stderr: psError } = await sandbox.fentry('ps');
  assert.equal(psCode, 1);
  assert.match(psError, /others could enter.*\(EACCES\)/);
});

test('ps lists what can be traced and removes what a killed process left', async (t) => {
  const sandbox = new Sandbox(t);
  const one = await sandbox.start(IDLE, {}, 'one.cjs');
  const two = await sandbox.start(IDLE, {}, 'two.cjs');
  const listing = (await sandbox.fentry('ps')).stdout;
  assert.match(listing, new RegExp(`^ *${one.pid} .*one\\.cjs$`, 'm'));
  assert.match(listing, new RegExp(`^ *${two.pid} .*two\\.cjs$`, 'm'));

  const undecided = await sandbox.fentry('cat', 'current_tracer');
  assert.equal(undecided.code, 1);
  assert.match(undecided.stderr, /several processes run with fentry; choose one with --pid PID \(EINVAL\)\n/);
  assert.equal((await sandbox.fentry('cat', '--pid', String(two.pid), 'current_tracer')).stdout, 'nop\n');

  one.kill('SIGKILL');
  await until(() => one.signalCode !== null, 'the process is gone');
  const stale = join(sandbox.sockets, `${one.pid}.sock`);
  assert.equal(existsSync(stale), true);
  assert.doesNotMatch((await sandbox.fentry('ps')).stdout, /one\.cjs/);
  assert.equal(existsSync(stale), false);
  assert.equal((await sandbox.fentry('cat', 'current_tracer')).stdout, 'nop\n');
});

test('a socket of a living process of another program is left alone when it listens', async (t) => {
  const sandbox = new Sandbox(t);
  const path = join(sandbox.sockets, `${process.pid}.sock`);
  const server = createServer().listen(path);
  t.after(() => server.close());
  assert.match((await sandbox.fentry('ps')).stdout, new RegExp(`^ *${process.pid} `, 'm'));
});

test('without a process the words say where it was looked for, and how to start one', async (t) => {
  const sandbox = new Sandbox(t);
  const { code, stderr } = await sandbox.fentry('cat', 'trace');
  assert.equal(code, 1);
  assert.equal(
    stderr,
    `fentry cat: no process runs with fentry: looked in ${sandbox.sockets} (FENTRY_DIR); start one with fentry env node PROGRAM, or attach to one with fentry attach PID (ENODEV)\n`,
  );
});

test('a verb says which folder it looked in for a process that could have no socket', async (t) => {
  const sandbox = new Sandbox(t);
  const nowhere = join(sandbox.file('a file', ''), 'sockets');
  const program = sandbox.spawn(['--import', PRELOAD, sandbox.file('idle.cjs', `console.log('up'); ${IDLE}`)], {
    FENTRY_DIR: nowhere,
  });
  await once(program.stdout!, 'data');
  for (const process of [[], ['--pid', String(program.pid)]]) {
    const { code, stderr } = await sandbox.run([CLI, 'start', ...process], { FENTRY_DIR: '', XDG_RUNTIME_DIR: sandbox.folder });
    assert.equal(code, 1);
    assert.ok(
      stderr.includes(`looked in ${join(sandbox.folder, 'fentry')} (from XDG_RUNTIME_DIR; FENTRY_DIR names another)`),
      stderr,
    );
  }
});

test('errors carry the errno that the kernel would answer', async (t) => {
  const sandbox = new Sandbox(t);
  const { pid } = await sandbox.start(IDLE);
  const socket = join(sandbox.sockets, `${pid}.sock`);
  const statusAndErrno = async (method: string, path: string, body?: string) => {
    const { status, errno } = await ask(socket, method, path, body);
    return `${status} ${errno ?? ''}`.trim();
  };
  assert.equal(await statusAndErrno('GET', '/nonsense'), '404 ENOENT');
  assert.equal(await statusAndErrno('GET', '/current_tracer/x'), '404 ENOTDIR');
  assert.equal(await statusAndErrno('GET', '/../../etc/passwd'), '404 ENOENT');
  assert.equal(await statusAndErrno('GET', '/%ff'), '400 EINVAL');
  assert.equal(await statusAndErrno('PUT', '/current_tracer', 'nonsense\n'), '400 EINVAL');
  assert.equal(await statusAndErrno('PUT', '/per_cpu', '1\n'), '405 EISDIR');
  assert.equal(await statusAndErrno('MKCOL', '/x'), '403 EPERM');
  for (const name of ['a%00b', 'a%0Ab', 'a%1Bb', 'a%7Fb']) {
    assert.equal(await statusAndErrno('MKCOL', `/instances/${name}`), '400 EINVAL', name);
  }
  assert.equal(await statusAndErrno('DELETE', '/trace'), '404 ENOTDIR');
  assert.equal(await statusAndErrno('BREW', '/trace'), '400');
  assert.equal(await statusAndErrno('PATCH', '/trace'), '501 ENOSYS');
  assert.equal(await statusAndErrno('PUT', '/tracing_on', '0\n'), '204');
  assert.equal((await ask(socket, 'GET', '/tracing_on')).body, '0\n');
  assert.match((await ask(socket, 'GET', '/')).body, /^current_tracer\n/m);
  assert.equal((await ask(socket, 'GET', '/current_tracer')).body, 'nop\n');
});

test('clients that misbehave do no harm', async (t) => {
  const sandbox = new Sandbox(t);
  const { pid } = await sandbox.start(IDLE);
  const path = join(sandbox.sockets, `${pid}.sock`);
  const garbage = connect(path, () => garbage.end('\0\0nonsense\r\n\r\n'));
  garbage.on('error', () => {});
  const halfway = connect(path, () => halfway.write('PUT /trace_marker HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nhalf'));
  halfway.on('error', () => {});
  const leaver = connect(path, () => leaver.write('GET /trace_pipe HTTP/1.1\r\nHost: x\r\n\r\n', () => leaver.destroy()));
  leaver.on('error', () => {});
  await assert.doesNotReject(ask(path, 'PUT', '/set_ftrace_filter', 'x '.repeat(5 * 2 ** 20)).catch(() => {}));
  assert.equal((await ask(path, 'GET', '/current_tracer')).body, 'nop\n');
  halfway.destroy();
});

/** Ends by itself when it is written to. */
const ENDS = `function f() {} f(); process.stdin.once('data', () => process.exit(7));`;
/** Programs that are ended: without the end's waiting for the clients, one of some 12 such programs was ended by SIGABRT. */
const ENDS_TRIED = 25;
const CLIENTS = 16;

test('a program that ends in the midst of requests ends as it would', async (t) => {
  const sandbox = new Sandbox(t);
  for (let tried = 0; tried < ENDS_TRIED; tried++) {
    const program = await sandbox.start(ENDS);
    const clients = Array.from({ length: CLIENTS }, () => connect(join(sandbox.sockets, `${program.pid}.sock`)));
    for (const client of clients) {
      const ask = (): void => void client.write('GET /tracing_on HTTP/1.1\r\nhost: fentry\r\n\r\n');
      client.on('error', () => {});
      client.on('data', ask);
      ask();
    }
    await Promise.all(clients.map((client) => once(client, 'data')));
    program.stdin!.write('end');
    const { code, signal, stderr } = await finished(program);
    for (const client of clients) client.destroy();
    assert.deepEqual([code, signal, stderr], [7, null, '']);
  }
});
