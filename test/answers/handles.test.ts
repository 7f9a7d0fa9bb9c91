import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HandlesAnswer } from '../../src/answers/handles/handles-answer.js';
import { listeningPorts } from '../../src/cli/attach/listening-ports.js';
import { startPlain } from '../attach/plain-program.js';
import { Sandbox } from '../e2e/support/program.js';

const PROGRAM = `
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { connect } from 'node:net';
function reporter(name) {
  const flush = () => name;
  const timer = setInterval(flush, 50_000);
  if (name !== 'client') timer.unref();
  return timer;
}
function createClient() {
  return reporter('client');
}
createClient();
reporter('metrics');
setTimeout(function later() {}, 100_000);
clearTimeout(setTimeout(function never() {}, 100_000));
const server = createServer(function answer(request, response) { response.end(); });
const child = spawn('sleep', ['1000'], { stdio: 'ignore' });
process.on('exit', () => child.kill());
server.listen(0, '127.0.0.1', () => {
  const socket = connect(server.address().port, '127.0.0.1', () => socket.write('G', () => console.log('ready ' + child.pid)));
});
`;

const kinds = ({ threads }: HandlesAnswer): readonly string[] =>
  threads.flatMap(({ handles }) => handles.map(({ kind }) => kind)).sort();

test('what keeps a program without fentry alive is listed with its functions, and nothing stays behind', async (t) => {
  const sandbox = new Sandbox(t);
  const { pid, child } = await startPlain(sandbox, PROGRAM, 'program.mjs');
  const before = listeningPorts(pid);
  const { stdout, code, stderr } = await sandbox.fentry('handles', String(pid));
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^main thread: \d+ things keep it alive\n/);
  assert.match(
    stdout,
    /\ninterval every 50\.0 s, due in \d+\.\d s, calls flush in reporter {2}program\.mjs:6\n {4}const flush = .*\n {4}name = "client"\n/,
  );
  assert.match(stdout, /\ntimeout of 100\.0 s, due in \d+\.\d s, calls later {2}program\.mjs:16\n/);
  assert.match(stdout, /\nserver on 127\.0\.0\.1:\d+, 1 connection, calls answer {2}program\.mjs:18\n/);
  assert.match(stdout, /\nsocket 127\.0\.0\.1:\d+ to 127\.0\.0\.1:\d+, 0 bytes read, 1 written/);
  assert.match(stdout, /\nchild process pid \d+, sleep 1000/);
  assert.match(
    stdout,
    /\nunref'd, and harmless:\n\ninterval every 50\.0 s, .*, calls flush in reporter {2}program\.mjs:6\n.*\n {4}name = "metrics"\n/,
  );
  assert.doesNotMatch(stdout, /never/);
  assert.deepEqual(listeningPorts(pid), before);
  const again = JSON.parse((await sandbox.fentry('handles', '--json', String(pid))).stdout) as HandlesAnswer;
  assert.deepEqual([again.answer, again.version, again.threads.length], ['handles', 1, 1]);
  assert.deepEqual(
    kinds(again)
      .filter((kind) => ['child process', 'server', 'timeout'].includes(kind))
      .slice(0, 2),
    ['child process', 'server'],
  );
  child.kill();
});

test('with FENTRY=handles each has who made it', async (t) => {
  const sandbox = new Sandbox(t);
  const child = await sandbox.start(PROGRAM, { FENTRY: 'handles' }, 'program.mjs');
  await new Promise((resolve) => child.stdout?.on('data', (text) => String(text).includes('ready') && resolve(undefined)));
  const { stdout, code, stderr } = await sandbox.fentry('handles');
  assert.equal(code, 0, stderr);
  assert.match(
    stdout,
    /name = "client"\n {4}made \d+\.\d s ago by\n {6}reporter {2}program\.mjs:7\n {6}createClient {2}program\.mjs:12\n/,
  );

  assert.doesNotMatch(stdout, /Who made them/);
  const text = await sandbox.read('answers/handles');
  assert.match(text, /^main thread: \d+ things keep it alive\n[\s\S]*calls flush in reporter {2}program\.mjs:6\n/);
  child.kill();
});

test('names that would command a terminal are shown', async (t) => {
  const sandbox = new Sandbox(t);
  const { pid } = await startPlain(
    sandbox,
    `const timer = setInterval({ ['\\u001b[31mred\\n']() {} }['\\u001b[31mred\\n'], 9_000);
    timer._onTimeout.toString = () => { throw new Error('called'); };
    console.log('ready');`,
  );
  const { stdout, code } = await sandbox.fentry('handles', String(pid));
  assert.equal(code, 0);
  assert.match(stdout, /calls \^\[\[31mred/);
});

test('a thread that is mostly in Node’s own code answers each time', async (t) => {
  const sandbox = new Sandbox(t);
  // A callback without a text: where it runs, only Node's code is on the stack.
  const { pid } = await startPlain(
    sandbox,
    `setImmediate(function next() {
       for (let i = 0; i < 5000; i++) process.nextTick(Function.prototype);
       setImmediate(next);
     });
     console.log('ready');`,
  );
  for (let i = 0; i < 4; i++) {
    const { code, stdout } = await sandbox.fentry('handles', String(pid));
    assert.match(stdout, /^main thread: (?:nothing|1 thing) keeps? it alive\n/);
    assert.equal(code, 0);
  }
});

test('workers, jobs of the thread pool and unref’d handles are listed; an open pipe that does nothing keeps nothing alive', async (t) => {
  const sandbox = new Sandbox(t);
  const { pid, child } = await startPlain(
    sandbox,
    `const { Worker } = require('node:worker_threads');
     const { createServer } = require('node:net');
     const { createSocket } = require('node:dgram');
     const { pbkdf2 } = require('node:crypto');
     const { gzip } = require('node:zlib');
     const { watch } = require('node:fs');
     function hash() { pbkdf2('a', 'b', 1e9, 64, 'sha512', function hashed() {}); }
     hash();
     gzip(Buffer.alloc(1e9), function zipped() {});
     createServer(function connected() {}).listen(0, '127.0.0.1').unref();
     createServer().listen(0, '127.0.0.1').close();
     createSocket('udp4').bind(0, '127.0.0.1').unref();
     watch(__dirname).unref();
     const { port2 } = new (require('node:worker_threads').MessageChannel)();
     port2.on('message', function kept() {});
     new Worker('setInterval(() => {}, 1000)', { eval: true }).on('message', function told() {});
     new Worker('setInterval(() => {}, 1000)', { eval: true }).unref();
     new Worker('', { eval: true }).on('exit', () => {
       setTimeout(() => console.log('ready'), 1);
     });`,
  );
  const { code, stdout, stderr } = await sandbox.fentry('handles', '--json', '--force', String(pid));
  assert.equal(code, 0, stderr);
  const { handles } = (JSON.parse(stdout) as HandlesAnswer).threads[0]!;
  const shown = handles.map(({ kind, what, keeps, calls }) => [keeps, kind, what, calls?.name ?? '']);
  const has = (...row: readonly unknown[]): void =>
    assert.ok(
      shown.some((one) => JSON.stringify(one) === JSON.stringify(row)),
      `${JSON.stringify(row)} in ${JSON.stringify(shown)}`,
    );
  has(true, 'request', 'PBKDF2Job, in the thread pool', 'hashed');
  has(true, 'request', 'Zlib, in the thread pool', 'zipped');
  has(true, 'worker', '1', 'told');
  has(false, 'worker', '2', '');
  has(false, 'server', 'on 127.0.0.1:any, 0 connections', 'connected');
  has(false, 'udp socket', '', '');
  has(true, 'message port', '', 'kept');
  assert.equal(shown.filter(([, kind]) => kind === 'worker').length, 2, 'not the one that has ended');
  assert.equal(shown.filter(([, kind]) => kind === 'server').length, 1, 'not the one that is closed');
  assert.deepEqual(
    shown.filter(([keeps, kind]) => keeps && kind === 'pipe'),
    [],
  );
  assert.equal(child.exitCode, null);
});
