import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { PRELOAD, Sandbox, until } from './support/program.js';

const PROGRAM = `
const { Worker, isMainThread } = require('node:worker_threads');
function handle(n) { return add(n, 1); }
function add(a, b) { return a + b; }
if (isMainThread) new Worker(__filename);
setInterval(() => handle(1), 5);
`;

test('an instance traces what it filters in every thread, beside the top level; removed, nothing of it is left', async (t) => {
  const sandbox = new Sandbox(t);
  const program = await sandbox.start(PROGRAM);
  const client = sandbox.client(program.pid);
  await client.mkdir('instances/adds');
  await client.write('instances/adds/set_ftrace_filter', 'add');
  await client.write('instances/adds/current_tracer', 'function');
  await client.write('current_tracer', 'function_graph');
  const isThere = async (): Promise<boolean> => {
    const [instance, top] = await Promise.all([client.read('instances/adds/trace'), client.read('trace')]);
    return /\[000\].*: add <-handle/.test(instance) && /\[001\].*: add <-handle/.test(instance) && /handle\(\) \{/.test(top);
  };
  await until(isThere, 'both threads are in the instance, the graph at the top');
  assert.doesNotMatch(await client.read('instances/adds/trace'), /: handle <-/);
  assert.match(await client.read('enabled_functions'), /^add \(2\)/m);

  await client.rmdir('instances/adds');
  assert.match(await client.read('enabled_functions'), /^add \(1\)/m);
  await client.write('current_tracer', 'nop');
  assert.equal(await client.read('enabled_functions'), '');
});

test('forty instances trace functions at the same time', async (t) => {
  const sandbox = new Sandbox(t);
  const program = await sandbox.start('function add(a, b) { return a + b; } setInterval(() => add(1, 2), 5);');
  const client = sandbox.client(program.pid);
  const folders = Array.from({ length: 40 }, (_, index) => `instances/i${index}`);
  for (const folder of folders) {
    await client.mkdir(folder);
    await client.write(`${folder}/buffer_size_kb`, '16');
    await client.write(`${folder}/set_ftrace_filter`, 'add');
    await client.write(`${folder}/current_tracer`, 'function');
  }
  assert.match(await client.read('enabled_functions'), /^add \(40\)/m);
  for (const folder of folders) {
    await until(async () => (await client.read(`${folder}/trace`)).includes(': add <-'), `${folder} records`);
  }
  for (const folder of folders.slice(1)) await client.write(`${folder}/current_tracer`, 'nop');
  assert.match(await client.read('enabled_functions'), /^add \(1\) .*function_trace_call/m);
  for (const folder of folders) await client.rmdir(folder);
  assert.equal(await client.read('enabled_functions'), '');
});

const SWITCHING = `
const { Worker, isMainThread, workerData } = require('node:worker_threads');
function tick(n) { return n + 1; }
function stop() { tracingOff(); tick(99); return tracingIsOn(); }
let tracingIsOn, tracingOff;
if (isMainThread) {
  import(${JSON.stringify(PRELOAD)}).then((fentry) => {
    ({ tracingIsOn, tracingOff } = fentry);
    new Worker(__filename);
  });
  process.once('SIGUSR2', () => console.log(stop()));
}
setInterval(() => tick(1), 2);
`;

test('the program stops recording in all of its threads at once', async (t) => {
  const sandbox = new Sandbox(t);
  const program = await sandbox.start(SWITCHING, { FENTRY: 'ftrace=function ftrace_filter=tick,stop' });
  const client = sandbox.client(program.pid);
  await until(async () => /\[001\]/.test(await client.read('trace')), 'the worker is traced');
  const said = once(program.stdout!, 'data');
  program.kill('SIGUSR2');
  assert.equal(String(await said), 'false\n');
  assert.equal(await client.read('tracing_on'), '0\n');
  let trace = '';
  await until(async () => trace === (trace = await client.read('trace')), 'nothing more comes');
  const stopped = trace.split('\n').findIndex((line) => line.includes(': stop <-'));
  assert.ok(stopped > 0);
  // What other threads recorded between the entry of stop() and its call may follow; the tick that it calls does not.
  assert.doesNotMatch(trace, /: tick <-stop/);
  await client.write('tracing_on', '1');
  await until(async () => (await client.read('trace')).length > trace.length, 'both threads record again');
});

const entries = (trace: string): number => Number(/entries-in-buffer\/entries-written: (\d+)/.exec(trace)![1]);

test('a snapshot puts aside what every thread has recorded, that of a busy one too, and they go on', async (t) => {
  const sandbox = new Sandbox(t);
  const program = await sandbox.start(`${PROGRAM} if (!isMainThread) for (let s = 0; ; s = handle(s) % 1000);`, {
    FENTRY: 'ftrace=function trace_buf_size=64K',
  });
  const client = sandbox.client(program.pid);
  const both = (trace: string): boolean => /\[000\]/.test(trace) && /\[001\]/.test(trace);
  await until(async () => both(await client.read('trace')), 'both threads are traced');
  await client.write('tracing_on', '0');
  // An event that a thread was writing at this moment is still to come: it is there when the thread has obeyed.
  await client.write('set_ftrace_filter', 'handle');
  const trace = await client.read('trace');
  await client.write('snapshot', '1');
  assert.ok((await client.read('snapshot')) === trace, 'the snapshot is what the trace was');
  assert.equal(entries(await client.read('trace')), 0);
  await client.write('tracing_on', '1');
  await until(async () => both(await client.read('trace')), 'both threads go on');
  assert.ok((await client.read('snapshot')) === trace, 'the snapshot stays');
  await client.write('snapshot', '0');
  assert.match(await client.read('snapshot'), /Snapshot is freed/);
});
