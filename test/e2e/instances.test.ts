import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Sandbox, until } from './support/program.js';

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
