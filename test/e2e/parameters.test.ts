import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PRELOAD, Sandbox, until } from './support/program.js';

const PROGRAM = `
function first() { return second(5); }
function second(n) { return n; }
first();
setInterval(() => {}, 1000);
`;

test('FENTRY traces from the first module on, with its filters', async (t) => {
  const sandbox = new Sandbox(t);
  await sandbox.start(PROGRAM, { FENTRY: 'ftrace=function ftrace_filter=sec* trace_options=func-args' });
  const trace = (): Promise<string> => sandbox.read('trace');
  await until(async () => /: second\(n=5\)/.test(await trace()), 'second was traced');
  assert.doesNotMatch(await trace(), /: first/);
});

test('FENTRY graphs from the first module on', async (t) => {
  const sandbox = new Sandbox(t);
  await sandbox.start(PROGRAM, { FENTRY: 'ftrace=function_graph ftrace_graph_max_depth=2 trace_buf_size=64K' });
  const trace = (): Promise<string> => sandbox.read('trace');
  await until(async () => /first\(\) \{\n.*second\(\);\n.*\}\n/.test(await trace()), 'both are in the graph');
  assert.equal(await sandbox.read('max_graph_depth'), '2\n');
  assert.equal(await sandbox.read('buffer_size_kb'), '67\n');
});

test('a bad parameter is reported once, and the program runs', async (t) => {
  const sandbox = new Sandbox(t);
  const program = sandbox.file('hello.cjs', 'console.log("hello")');
  const { code, stdout, stderr } = await sandbox.run(['--import', PRELOAD, program], {
    FENTRY: 'ftrase=function tracing_thresh=x',
  });
  assert.deepEqual({ code, stdout }, { code: 0, stdout: 'hello\n' });
  assert.deepEqual(
    stderr.split('\n').map((line) => line.replace(/known are .*/, 'known are ...')),
    [
      'fentry: FENTRY: ftrase=function: unknown parameter; known are ...',
      'fentry: FENTRY: tracing_thresh=x: must be a whole number',
      '',
    ],
  );
});
