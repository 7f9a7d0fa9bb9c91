import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noTraceCmd, traceCmd } from '../trace-dat/trace-cmd.js';
import { PRELOAD, Sandbox, until } from './support/program.js';

const CALLERS = `
const { EventEmitter } = require('node:events');
const { Worker, isMainThread } = require('node:worker_threads');
function target(n) { return n + 1 }
function viaBuiltIn() { return [1].map(function mapped(x) { return target(x) }) }
function viaNode() { const events = new EventEmitter(); events.on('x', function listener() { target(2) }); events.emit('x') }
async function inner() { await null; target(3) }
async function outer() { await inner() }
function viaEval() { return eval('(function evaluated() { return target(5) })()') }
async function all() { viaBuiltIn(); viaNode(); viaEval(); await outer() }
all();
if (isMainThread) new Worker(__filename);
setInterval(() => {}, 1000);
`;

/** The names of each stack trace in a trace's text, innermost first. */
const stacksOf = (trace: string): string[][] =>
  trace
    .split('<stack trace>\n')
    .slice(1)
    .map((text) => [...text.matchAll(/^ => (.*)$/gm)].map(([, name]) => name!));

test('func_stack_trace: functions, built-ins, Node’s own and those that wait, in every thread', async (t) => {
  const sandbox = new Sandbox(t);
  await sandbox.start(CALLERS, { FENTRY: 'ftrace=function ftrace_filter=target trace_options=func_stack_trace' });
  const read = async (file: string): Promise<string[][]> => stacksOf(await sandbox.read(file));
  for (const cpu of [0, 1]) {
    await until(async () => (await read(`per_cpu/cpu${cpu}/trace`)).length === 4, 'all calls are there');
    const [builtIn, node, evaluated, waiting] = await read(`per_cpu/cpu${cpu}/trace`);
    assert.deepEqual(builtIn!.slice(0, 5), ['target', 'mapped', 'map', 'viaBuiltIn', 'all']);
    assert.deepEqual(node!.slice(0, 4), ['target', 'listener', 'emit', 'viaNode']);
    assert.deepEqual(evaluated!.slice(0, 4), ['target', 'evaluated', 'eval', 'viaEval']);
    // Some versions of Node run promise reactions from a function of their own.
    const ran = waiting!.filter((name) => name !== 'processTicksAndRejections');
    assert.deepEqual(ran, ['target', 'inner', 'await', 'outer', 'all']);
    assert.ok(builtIn!.includes('program.cjs'), 'the module’s own code has a name');
  }
  await sandbox.fentry('write', 'options/sym-offset', '1');
  const [builtIn, node] = await read('trace');
  assert.match(builtIn![1]!, /^mapped\+0x[0-9a-f]+\/0x[0-9a-f]+$/);
  assert.match(builtIn![2]!, /^map\+0x0\/0x10 \[v8\]$/);
  assert.match(node![2]!, /^emit\+0x0\/0x10 \[node\]$/);
});

const MARKING = `
import { traceMarker } from 'fentry';
function writes(text) { traceMarker(text) }
process.stdin.on('data', (text) => writes(String(text)));
`;

test('stacktrace: the stack follows what the program itself writes, as after a trace_printk', async (t) => {
  const sandbox = new Sandbox(t);
  const program = await sandbox.start(MARKING.replace("'fentry'", JSON.stringify(PRELOAD)), {}, 'program.mjs');
  await sandbox.fentry('write', 'options/stacktrace', '1');
  await sandbox.fentry('write', 'trace_marker', 'from outside');
  program.stdin?.write('from inside');
  const trace = (): Promise<string> => sandbox.read('trace');
  await until(async () => (await trace()).includes('=> writes'), 'the stack is there');
  assert.equal(stacksOf(await trace()).length, 1);
  assert.match(
    await trace(),
    /tracing_mark_write: from inside\n.*<stack trace>\n => writes\n => process\.stdin\.on\.data@\d+\n => emit\n/,
  );
});

const REPEATING = `
function often(n) { return n + 1 }
function other(n) { return n }
function main() { for (let i = 0; i < 1000; i++) often(i); other(1); }
main();
`;

test('a recording with stack traces and folded repeats reads the same in trace-cmd and fentry', async (t) => {
  if (noTraceCmd !== false) return t.skip(noTraceCmd);
  const sandbox = new Sandbox(t);
  const program = sandbox.file('program.cjs', REPEATING);
  const options = ['-p', 'function', '-l', 'often', '-l', 'other', '-O', 'func_stack_trace', '-O', 'func-no-repeats'];
  const { code } = await sandbox.fentry('record', ...options, '-o', 'stacks.dat', '--', process.execPath, program);
  assert.equal(code, 0);
  const report = (await sandbox.fentry('report', '-O', 'extras=0', '-i', 'stacks.dat')).stdout;
  assert.equal(report, traceCmd('report', '-i', `${sandbox.folder}/stacks.dat`).stdout);
  assert.match(report, /func_repeats: +often \(count: 999 {2}last_ts:/);
  assert.match(report, /kernel_stack: +<stack trace >\n=> other \(\w+\)\n=> main \(\w+\)\n=> program\.cjs \(\w+\)\n/);
});
