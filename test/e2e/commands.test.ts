import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Sandbox, until } from './support/program.js';

const PROGRAM = `
const { Worker, isMainThread, workerData } = require('node:worker_threads');
function step(n) { return work(n) + 1; }
function work(n) { return n; }
function bad() { return 0; }
function late() { return require(process.env.LATE); }
if (isMainThread) {
  new Worker(__filename);
  process.stdin.setEncoding('utf8').on('data', (text) => {
    for (const line of text.trim().split('\\n')) console.log(line, ({ bad, late, step, end: () => process.exit() })[line](1));
  });
}
setInterval(() => step(1), 2);
`;

const start = async (t: import('node:test').TestContext, env: NodeJS.ProcessEnv = {}) => {
  const sandbox = new Sandbox(t);
  const program = await sandbox.start(PROGRAM, env);
  let said = '';
  let complained = '';
  program.stdout?.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  program.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complained += text;
  });
  const cat = async (path: string): Promise<string> => (await sandbox.fentry('cat', path)).stdout;
  const append = async (path: string, text: string): Promise<string> => (await sandbox.fentry('append', path, text)).stderr;
  await until(async () => /cpu1/.test((await sandbox.fentry('ls', 'per_cpu')).stdout), 'the worker is there');
  return {
    sandbox,
    program,
    cat,
    append,
    complained: () => complained,
    /** Has the program call a function, and waits until it has. */
    async call(name: string): Promise<void> {
      const before = said.length;
      program.stdin?.write(`${name}\n`);
      await until(() => said.slice(before).includes(name), `${name} was called`);
    },
  };
};

test('traceoff stops all threads at the call, and counts; traceon goes on', async (t) => {
  const { sandbox, cat, append, call } = await start(t);
  assert.equal(await append('set_ftrace_filter', 'bad:traceoff:2'), '');
  assert.equal(await append('current_tracer', 'function'), '');
  const isTraced = async (cpu: number): Promise<boolean> => / step <-/.test(await cat(`per_cpu/cpu${cpu}/trace`));
  await until(async () => (await isTraced(0)) && (await isTraced(1)), 'both threads are traced');
  assert.match(await cat('enabled_functions'), /^bad \(2\)/m);
  await call('bad');
  assert.equal(await cat('tracing_on'), '0\n');
  // What a thread was writing at the call is there when it has obeyed this.
  assert.equal(await append('set_ftrace_notrace', 'work'), '');
  const trace = await cat('trace');
  await call('bad');
  assert.equal(await cat('trace'), trace, 'nothing is recorded any more');
  assert.match(await cat('set_ftrace_filter'), /^bad:traceoff:count=1$/m);
  assert.equal(await append('set_ftrace_filter', 'step:traceon:1'), '');
  await until(async () => (await cat('tracing_on')) === '1\n', 'step has switched it on');
  assert.match(await cat('set_ftrace_filter'), /^step:traceon:count=0$/m);
  assert.equal(await append('set_ftrace_filter', '!*:traceoff:0'), '');
  await call('bad');
  assert.equal(await cat('tracing_on'), '1\n');
  assert.match((await sandbox.fentry('append', 'set_ftrace_filter', '!bad:traceoff')).stderr, /ENODEV/);
});

test('a probe fires without a tracer, in the instance that it was set in', async (t) => {
  const { sandbox, program, cat, append, call } = await start(t);
  await sandbox.client(program.pid).mkdir('instances/foo');
  assert.equal(await append('instances/foo/set_ftrace_filter', 'bad:traceoff'), '');
  await call('bad');
  assert.deepEqual([await cat('instances/foo/tracing_on'), await cat('tracing_on')], ['0\n', '1\n']);
  assert.equal(await append('set_ftrace_filter', 'bad:stacktrace:1'), '');
  await call('bad');
  assert.match(await cat('trace'), /<stack trace>\n => bad\n/);
  assert.match(await cat('set_ftrace_filter'), /^bad:stacktrace:count=0$/m);
});

test('a snapshot is what the buffers held at the call', async (t) => {
  const { cat, append, call } = await start(t);
  assert.equal(await append('set_ftrace_filter', 'work bad bad:snapshot:1'), '');
  assert.equal(await append('current_tracer', 'function'), '');
  await until(async () => /: work/.test(await cat('trace')), 'work is traced');
  assert.match(await cat('snapshot'), /Snapshot is allocated/);
  await call('bad');
  await until(async () => /: work/.test(await cat('snapshot')), 'the snapshot is there');
  assert.match(await cat('set_ftrace_filter'), /^bad:snapshot:count=0$/m);
});

test('dump prints the buffers when the function is called, and stops tracing', async (t) => {
  const { cat, append, call, complained } = await start(t);
  assert.equal(await append('trace_marker', 'before'), '');
  assert.equal(await append('set_ftrace_filter', 'bad:dump'), '');
  await call('bad');
  const dumped = /^Dumping ftrace buffer:\n-{33}\n.*: tracing_mark_write: before\n-{33}\n/m;
  await until(() => dumped.test(complained()), 'the buffers are on stderr');
  assert.equal(await cat('tracing_on'), '0\n');
});

test('a module that is loaded later gets the probes of its names', async (t) => {
  const sandboxed = new Sandbox(t);
  const late = sandboxed.file('late.cjs', 'function inLate() {} inLate(); module.exports = 1;');
  const { append, cat, call } = await start(t, { LATE: late });
  assert.equal(await append('set_ftrace_filter', '*ate:traceoff:1'), '');
  await call('late');
  assert.equal(await cat('tracing_on'), '0\n');
  assert.match(await cat('set_ftrace_filter'), /^inLate:traceoff:count=1$/m);
});
