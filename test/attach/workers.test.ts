import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Sandbox, until } from '../e2e/support/program.js';
import { startPlain } from './plain-program.js';

const WORKER = `
const early = (n) => n + 1;
const { work } = require('./late.cjs');
setInterval(() => { work(1); early(1); }, 20);
`;
const PROGRAM = `
const { Worker } = require('node:worker_threads');
const start = (busy) => new Worker(__dirname + '/' + busy);
start('first.cjs');
process.stdin.on('data', () => start('second.cjs').on('online', () => console.log('online')));
setTimeout(() => console.log('ready'), 500);
`;

test('workers that run already and workers that start later get the agent too', async (t) => {
  const sandbox = new Sandbox(t);
  sandbox.file('late.cjs', 'exports.work = function work(n) { return n; };\n');
  sandbox.file('first.cjs', `setInterval(function inFirst() { Math.random(); }, 20);\n`);
  // What it loads after a while has sites: its agent comes while it starts.
  sandbox.file('second.cjs', `setTimeout(() => { ${WORKER.replaceAll('\n', ' ')} }, 1500);\n`);
  const { child, pid } = await startPlain(sandbox, PROGRAM);
  const attached = await sandbox.fentry('attach', '--timeout', '25', String(pid));
  assert.equal(attached.code, 0, attached.stderr);
  await until(async () => /inFirst/.test((await sandbox.fentry('cat', 'available_filter_functions')).stdout), 'it is listed');
  await sandbox.fentry('write', 'set_ftrace_filter', 'inFirst');
  await sandbox.fentry('write', 'current_tracer', 'function');
  await until(
    async () => /\[001\].*: inFirst <-/.test((await sandbox.fentry('cat', 'trace')).stdout),
    'a breakpoint in a worker',
  );

  let printed = '';
  child.stdout!.on('data', (text: string) => {
    printed += text;
  });
  child.stdin!.write('go\n');
  await until(() => printed.includes('online'), 'the second worker runs');
  await until(async () => /^work$/m.test((await sandbox.fentry('cat', 'available_filter_functions')).stdout), 'it has sites');
  await sandbox.fentry('write', 'set_ftrace_filter', 'work');
  await until(async () => /: work <-/.test((await sandbox.fentry('cat', 'trace')).stdout), 'sites in a worker');
  const detached = await sandbox.fentry('detach', String(pid));
  assert.equal(detached.code, 0, detached.stderr);
});
