import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Sandbox, until } from '../e2e/support/program.js';
import { startPlain } from './plain-program.js';

/** Loads what has sites when it is told to. */
const SECOND = `
const { parentPort } = require('node:worker_threads');
parentPort.once('message', () => {
  const early = (n) => n + 1;
  const { work } = require('./late.cjs');
  setInterval(() => { work(1); early(1); }, 20);
});
parentPort.postMessage('up');
`;
const PROGRAM = `
const { Worker } = require('node:worker_threads');
const start = (name) => new Worker(__dirname + '/' + name);
start('first.cjs').once('message', () => console.log('ready'));
let second;
process.stdin.on('data', (text) => {
  if (second === undefined) (second = start('second.cjs')).once('message', (message) => console.log(message));
  else second.postMessage('load');
});
`;

test('workers that run already and workers that start later get the agent too', async (t) => {
  const sandbox = new Sandbox(t);
  sandbox.file('late.cjs', 'exports.work = function work(n) { return n; };\n');
  const first = `setInterval(function inFirst() { Math.random(); }, 20);\nrequire('node:worker_threads').parentPort.postMessage('up');\n`;
  sandbox.file('first.cjs', first);
  sandbox.file('second.cjs', SECOND);
  const { child, pid } = await startPlain(sandbox, PROGRAM);
  const attached = await sandbox.fentry('attach', '--timeout', '80', String(pid));
  assert.equal(attached.code, 0, attached.stderr);
  await until(async () => /inFirst/.test(await sandbox.read('available_filter_functions')), 'it is listed');
  await sandbox.fentry('write', 'set_ftrace_filter', 'inFirst');
  await sandbox.fentry('write', 'current_tracer', 'function');
  await until(async () => /\[001\].*: inFirst <-/.test(await sandbox.read('trace')), 'a breakpoint in a worker');

  let printed = '';
  child.stdout!.on('data', (text: string) => {
    printed += text;
  });
  child.stdin!.write('start\n');
  await until(() => printed.includes('up'), 'the second worker runs');
  const cpus = async (): Promise<string> => (await sandbox.fentry('ls', 'per_cpu')).stdout;
  await until(async () => (await cpus()).match(/^cpu\d+/gm)?.length === 3, 'it has its agent');
  child.stdin!.write('load\n');
  await until(async () => /^work$/m.test(await sandbox.read('available_filter_functions')), 'it has sites');
  await sandbox.fentry('write', 'set_ftrace_filter', 'work');
  await until(async () => /: work <-/.test(await sandbox.read('trace')), 'sites in a worker');
  const detached = await sandbox.fentry('detach', String(pid));
  assert.equal(detached.code, 0, detached.stderr);
});

const MANY = `
const { Worker } = require('node:worker_threads');
process.stdin.once('data', () => {
  let ended = 0;
  const start = () =>
    new Worker(__dirname + '/short.cjs').once('exit', (code) => {
      if (++ended < 15 && code === 7) start();
      else console.log(ended + ' ended, the last with ' + code);
    });
  start();
});
console.log('ready');
`;

test('a worker is left alone until it has started, and ends as ever', async (t) => {
  const sandbox = new Sandbox(t);
  sandbox.file('short.cjs', 'setTimeout(() => process.exit(7), 20);\n');
  const { child, pid } = await startPlain(sandbox, MANY);
  const attached = await sandbox.fentry('attach', '--timeout', '80', String(pid));
  assert.equal(attached.code, 0, attached.stderr);
  child.stdin!.write('start\n');
  let printed = '';
  child.stdout!.on('data', (text: string) => {
    printed += text;
  });
  await until(() => printed !== '' || child.exitCode !== null, 'the last worker has ended');
  assert.deepEqual([printed, child.exitCode], ['15 ended, the last with 7\n', null]);
});
