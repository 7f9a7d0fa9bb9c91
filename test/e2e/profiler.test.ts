import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rowsOf } from '../support/profile-rows.js';
import { Sandbox, until } from './support/program.js';

const COUNTED = `
const { Worker, isMainThread, parentPort } = require('node:worker_threads');
function outer(n) { for (let i = 0; i < n; i++) inner(i); try { fails() } catch { return n } }
function inner(i) { return i + 1 }
function fails() { throw new Error('no') }
async function waits() { await new Promise((resolve) => setTimeout(resolve, 30)); inner(0) }
async function turn() { outer(10); outer(20); await waits(); process.stdout.write(isMainThread ? 'm' : 'w') }
if (isMainThread) {
  const worker = new Worker(__filename);
  process.stdin.once('data', () => { worker.postMessage('go'); turn() });
} else parentPort.once('message', turn);
`;

test('the profiler counts the calls of every thread exactly, also those that end by an exception or wait', async (t) => {
  const sandbox = new Sandbox(t);
  const program = await sandbox.start(COUNTED);
  assert.equal((await sandbox.fentry('write', 'function_profile_enabled', '1')).code, 0);
  let printed = '';
  program.stdout?.on('data', (chunk) => {
    printed += chunk;
  });
  program.stdin?.write('go\n');
  await until(() => printed.includes('m') && printed.includes('w'), 'both threads have run');
  for (const cpu of [0, 1]) {
    const rows = rowsOf(await sandbox.read(`trace_stat/function${cpu}`));
    const hits = Object.fromEntries(['outer', 'inner', 'fails', 'waits'].map((name) => [name, rows.get(name)?.hits]));
    assert.deepEqual(hits, { outer: 2, inner: 31, fails: 2, waits: 1 });
    assert.ok(rows.get('outer')!.time >= rows.get('fails')!.time);
    assert.ok(rows.get('waits')!.time >= 20_000, 'the time that it waited counts');
  }
  assert.equal((await sandbox.fentry('write', 'function_profile_enabled', '0')).code, 0);
  assert.equal(await sandbox.read('enabled_functions'), '');
  assert.ok((await sandbox.read('trace_stat/function0')).includes('outer'), 'the counts stay');
});

const LATER = `
function early() { return 1 }
process.stdin.once('data', () => {
  const texts = Array.from({ length: 1500 }, (_, i) => 'exports.f' + i + ' = () => ' + i + ';').join('\\n');
  require('node:fs').writeFileSync(__dirname + '/later.cjs', texts);
  early();
  const later = require('./later.cjs');
  for (const name of Object.keys(later)) later[name]();
  early();
  process.stdout.write('done');
});
`;

test('functions that are loaded while the profiler is on are counted, however many they are; its filter is the top level’s', async (t) => {
  const sandbox = new Sandbox(t);
  const program = await sandbox.start(LATER);
  await sandbox.fentry('write', 'set_ftrace_notrace', 'f7');
  await sandbox.fentry('write', 'function_profile_enabled', '1');
  let printed = '';
  program.stdout?.on('data', (chunk) => {
    printed += chunk;
  });
  program.stdin?.write('go\n');
  await until(() => printed === 'done', 'the functions were called');
  const rows = rowsOf(await sandbox.read('trace_stat/function0'));
  assert.equal(rows.get('early')?.hits, 2);
  assert.equal([...rows.keys()].filter((name) => /^f\d+$/.test(name)).length, 1500);
  await sandbox.fentry('write', 'set_ftrace_filter', 'early');
  assert.match(await sandbox.read('enabled_functions'), /^early \(1\).*ftrace_graph_func.*\n$/);
});
