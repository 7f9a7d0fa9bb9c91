import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LISTENING, Sandbox, until } from './support/program.js';

const IDLE = `
function handle(n) { return add(n, 1); }
function add(a, b) { return a + b; }
setInterval(() => handle(1), 5);
`;

const ENDLESS = `
function f(n) { return g(n) + 1; }
function g(n) { return n * 2; }
for (let s = 0; ; s = (s + f(s)) % 1000);
`;

const ENDLESS_WORKER = `
const { Worker, isMainThread } = require('node:worker_threads');
function inWorker(n) { return n + 1; }
if (isMainThread) { new Worker(__filename); setInterval(() => {}, 1000); }
else for (let s = 0; ; s = inWorker(s) % 1000);
`;

test('functions of an idle program are traced while the tracer is on, and NOPs again after', async (t) => {
  const sandbox = new Sandbox(t);
  await sandbox.start(IDLE);
  assert.equal((await sandbox.fentry('write', 'current_tracer', 'function')).code, 0);
  await until(async () => /: add <-handle/.test((await sandbox.fentry('cat', 'trace')).stdout), 'add is in the trace');
  assert.match((await sandbox.fentry('cat', 'enabled_functions')).stdout, /^handle \(1\)/m);
  assert.equal((await sandbox.fentry('write', 'current_tracer', 'nop')).code, 0);
  assert.equal((await sandbox.fentry('cat', 'enabled_functions')).stdout, '');
});

const CALLERS = `
function g(n) { return n + 1; }
function f() {
  const inner = () => 0;
  inner();
  return g(1);
}
setInterval(() => { f(); [1].map(g); }, 5);
setInterval(g, 5);
g(0);
`;

test('a filtered function names the one that called it, which is not traced', async (t) => {
  const sandbox = new Sandbox(t);
  await sandbox.start(CALLERS, { FENTRY: 'ftrace=function ftrace_filter=g' });
  const trace = async (): Promise<string> => (await sandbox.fentry('cat', 'trace')).stdout;
  const callers = ['program.cjs', 'f', 'setInterval@8', 'listOnTimeout'];
  const isThere = async (): Promise<boolean> => {
    const text = await trace();
    return callers.every((caller) => text.includes(`: g <-${caller}\n`));
  };
  await until(isThere, 'each caller has a name');
  await sandbox.fentry('write', 'options/sym-offset', '1');
  const offset = CALLERS.indexOf('g(1)') - CALLERS.indexOf('function f');
  assert.ok((await trace()).includes(`: g+0x0/0x1f <-f+0x${offset.toString(16)}/0x43\n`), 'the call in the caller');
  await sandbox.fentry('write', 'options/print-parent', '0');
  assert.match(await trace(), /: g\+0x0\/0x1f\n/);
});

test('start, show, stop and reset are a session with the graph', async (t) => {
  const sandbox = new Sandbox(t);
  await sandbox.start(IDLE);
  assert.equal((await sandbox.fentry('start', '-p', 'function_graph', '-g', 'handle', '-O', 'funcgraph-args')).code, 0);
  await until(
    async () => /handle\(n=1\) \{\n.*add\(a=1, b=1\);\n/.test((await sandbox.fentry('show')).stdout),
    'the graph shows',
  );
  const stat = await sandbox.fentry('stat');
  assert.match(stat.stdout, /^Tracer: function_graph\nTracing is: on\nGraph functions: handle$/m);
  assert.equal((await sandbox.fentry('stop')).code, 0);
  assert.equal((await sandbox.fentry('cat', 'tracing_on')).stdout, '0\n');
  assert.equal((await sandbox.fentry('reset')).code, 0);
  assert.equal((await sandbox.fentry('cat', 'current_tracer')).stdout, 'nop\n');
  assert.match((await sandbox.fentry('cat', 'set_graph_function')).stdout, /^#### all functions enabled/);
});

test('a program in an endless loop is reached, and left as it was', async (t) => {
  const sandbox = new Sandbox(t);
  await sandbox.start(ENDLESS, LISTENING);
  assert.equal((await sandbox.fentry('write', 'current_tracer', 'function')).code, 0);
  await until(async () => /: g <-f/.test((await sandbox.fentry('cat', 'trace')).stdout), 'g is in the trace');
  assert.equal((await sandbox.fentry('write', 'current_tracer', 'nop')).code, 0);
  assert.equal((await sandbox.fentry('clear')).code, 0);
  assert.match((await sandbox.fentry('cat', 'trace')).stdout, /entries-in-buffer\/entries-written: 0\/0|# tracer: nop/);
});

const BLOCKED = `
function loaded(n) { return n + 1; }
require('./module.cjs');
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, loaded(-1));
`;

test('the functions of a program that is stuck in its first turn are listed, whatever it is stuck in', async (t) => {
  for (const [program, names] of [
    [ENDLESS, ['f', 'g']],
    [BLOCKED, ['loaded', 'inModule']],
  ] as const) {
    const sandbox = new Sandbox(t);
    sandbox.file('module.cjs', 'exports.inModule = () => 1;');
    await sandbox.start(program, LISTENING);
    const { stdout } = await sandbox.fentry('cat', 'available_filter_functions');
    const listed = stdout.split('\n');
    for (const name of names) assert.ok(listed.includes(name), `${name} in ${stdout}`);
  }
});

test('a worker in an endless loop is reached through the main thread', async (t) => {
  const sandbox = new Sandbox(t);
  await sandbox.start(ENDLESS_WORKER);
  await until(async () => /cpu1/.test((await sandbox.fentry('ls', 'per_cpu')).stdout), 'the worker is there');
  assert.equal((await sandbox.fentry('start', '-p', 'function', '-l', 'inWorker')).code, 0);
  await until(async () => /\[001\].*: inWorker/.test((await sandbox.fentry('cat', 'trace')).stdout), 'inWorker is in the trace');
  assert.equal((await sandbox.fentry('write', 'current_tracer', 'nop')).code, 0);
});

test('trace_pipe gives events as they come, and a reader may leave at any time', async (t) => {
  const sandbox = new Sandbox(t);
  await sandbox.start(IDLE);
  assert.equal((await sandbox.fentry('start', '-p', 'function', '-l', 'handle')).code, 0);
  const reader = sandbox.spawnFentry('cat', 'trace_pipe');
  let piped = '';
  reader.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    piped += chunk;
  });
  await until(() => /: handle/.test(piped), 'handle comes through the pipe');
  const refused = await sandbox.fentry('write', 'current_tracer', 'nop');
  assert.match(refused.stderr, /a pipe is open \(EBUSY\)/);
  reader.kill('SIGINT');
  assert.equal((await sandbox.fentry('cat', 'current_tracer')).stdout, 'function\n');
});

test('the buffers of a running process can be saved to a file', async (t) => {
  const sandbox = new Sandbox(t);
  await sandbox.start(IDLE);
  assert.equal((await sandbox.fentry('start', '-p', 'function', '-l', 'add')).code, 0);
  await until(async () => /: add/.test((await sandbox.fentry('cat', 'trace')).stdout), 'add is in the trace');
  const extract = await sandbox.fentry('extract', '-o', 'out.dat');
  assert.match(extract.stderr, /^fentry: out\.dat has /);
  assert.match((await sandbox.fentry('report', '-i', 'out.dat')).stdout, /^ *node-\d+ +\[000\] .*function: +add/m);
});

test('a mark of the program stands among its functions', async (t) => {
  const sandbox = new Sandbox(t);
  const source = `import { traceMarker } from ${JSON.stringify(new URL('index.js', `file://${process.cwd()}/dist/`).href)};
function before() {}
setInterval(() => { before(); traceMarker('now'); }, 5);`;
  await sandbox.start(source, {}, 'program.mjs');
  assert.equal((await sandbox.fentry('start', '-p', 'function', '-l', 'before')).code, 0);
  const marked = /: before.*\n.*: tracing_mark_write: now\n/;
  await until(async () => marked.test((await sandbox.fentry('cat', 'trace')).stdout), 'the mark is in the trace');
});
