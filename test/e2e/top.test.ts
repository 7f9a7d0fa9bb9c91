import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { CLI, finished, Sandbox, until } from './support/program.js';
import { onTerminal } from './support/terminal.js';

/** Calls area often and briefly, waits rarely and long, and does so in a worker, too. */
const PROGRAM = `
const { Worker, isMainThread } = require('node:worker_threads');
function area(w, h) { return w * h; }
function busy(ms) { for (const end = performance.now() + ms; performance.now() < end; ) area(1, 2); }
function outer() { busy(3); }
setInterval(outer, 10);
setInterval(() => { for (let i = 0; i < 50; i++) area(i, i); }, 5);
if (isMainThread) new Worker(__filename);
`;

const STATE = ['function_profile_enabled', 'options/graph-time', 'set_ftrace_filter', 'current_tracer'] as const;

/** The names of functions in a table, in its order. */
const namesIn = (text: string): readonly string[] => {
  const lines = text.split('\n');
  const head = lines.findIndex((line) => / function$/.test(line));
  return lines.slice(head + 1, -1).map((line) => /(\S+) +program\.cjs:\d+$/.exec(line)?.[1] ?? line);
};

test('top prints the functions of all threads, by time, by calls, by self time, and leaves everything as it was', async (t) => {
  const sandbox = new Sandbox(t);
  const { pid } = await sandbox.start(PROGRAM);
  const client = sandbox.client(pid);
  await until(async () => (await client.list('per_cpu')).length === 2, 'the worker runs');
  const state = () => Promise.all(STATE.map((path) => client.read(path)));
  const before = await state();
  const top = async (...words: string[]) => (await sandbox.fentry('top', '--pid', String(pid), ...words)).stdout;
  const byTime = await top();
  assert.match(byTime, new RegExp(`^${pid} \\(program\\.cjs\\), CPU \\d+ %, [\\d,]+ calls/s, by time\n`), byTime);
  assert.match(byTime, /^threads: cpu0 [\d,]+ calls\/s, cpu1 [\d,]+ calls\/s$/m);
  assert.match(byTime, /^ {4}calls\/s {6}ms\/s {7}avg us module {11}function$/m);
  const outer = namesIn(byTime).indexOf('outer');
  assert.ok(outer >= 0 && outer < namesIn(byTime).indexOf('area'), byTime);
  assert.equal(namesIn(await top('-s', 'calls'))[0], 'area');
  const bySelf = namesIn(await top('-s', 'self'));
  assert.ok(bySelf.indexOf('busy') < bySelf.indexOf('outer'), bySelf.join());
  assert.deepEqual(namesIn(await top('-n', '1', 'b*')), ['busy']);
  const data = JSON.parse(await top('--json', '-s', 'calls'));
  assert.deepEqual([data.answer, data.version, data.application, data.order], ['top', 1, sandbox.folder, 'calls']);
  const { calls, time, ...area } = data.functions[0];
  assert.deepEqual(area, { name: 'area', place: { file: `${sandbox.folder}/program.cjs`, line: 3, column: 1 }, isOwn: true });
  assert.ok(calls > 0 && time > 0);
  assert.deepEqual(await state(), before);
});

test('what somebody else has set stays: a profiler that is on, a filter, a tracer', async (t) => {
  const sandbox = new Sandbox(t);
  const { pid } = await sandbox.start(PROGRAM);
  const client = sandbox.client(pid);
  const top = async (...words: string[]) => sandbox.fentry('top', '--pid', String(pid), '-d', '0.2', ...words);
  await client.write('set_ftrace_filter', 'area\nouter\n');
  const filtered = await top('a*');
  assert.match(filtered.stdout, /the functions of set_ftrace_filter are profiled, which somebody else has set/);
  assert.deepEqual(namesIn(filtered.stdout), ['area']);
  await client.write('function_profile_enabled', '1\n');
  const shared = await top('-s', 'self');
  assert.match(shared.stdout, /somebody else has switched the profiler on: it counts and measures what they have chosen/);
  assert.equal(await client.read('function_profile_enabled'), '1\n');
  assert.equal(await client.read('options/graph-time'), '1\n');
  assert.equal(await client.read('set_ftrace_filter'), 'area\nouter\n');
  await client.write('function_profile_enabled', '0\n');
  await client.write('current_tracer', 'function_graph\n');
  const refused = await top();
  assert.equal(refused.code, 1);
  assert.match(
    refused.stderr,
    /function_graph is the current tracer, and the profiler cannot run beside it; fentry reset ends it \(EBUSY\)/,
  );
});

test('a top that is killed, or ended by a signal, leaves everything as it was', async (t) => {
  const sandbox = new Sandbox(t);
  const { pid } = await sandbox.start(PROGRAM);
  const client = sandbox.client(pid);
  const state = () => Promise.all(STATE.map((path) => client.read(path)));
  const before = await state();
  const top = sandbox.spawnFentry('top', '--pid', String(pid), '-d', '3000', '-s', 'self', 'area');
  await until(async () => (await client.read('enabled_functions')) !== '', 'it profiles');
  top.kill('SIGKILL');
  await until(async () => JSON.stringify(await state()) === JSON.stringify(before), 'everything is as it was');
});

test('on a terminal the table is drawn again, sorted by the key that is pressed, until q', onTerminal, async (t) => {
  const sandbox = new Sandbox(t);
  const { pid } = await sandbox.start(PROGRAM);
  const client = sandbox.client(pid);
  const line = `stty cols 100 rows 10; ${process.execPath} ${CLI} top --pid ${pid} -d 0.2`;
  const terminal = spawn('script', ['-qec', line, '/dev/null'], { env: sandbox.env({ TERM: 'xterm' }), cwd: sandbox.folder });
  let text = '';
  terminal.stdout.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
  });
  for (const [key, shown] of [
    ['c', 'by time'],
    ['s', 'by calls'],
    ['q', 'by self time'],
  ] as const) {
    await until(() => text.includes(shown), `the table is ${shown}`);
    terminal.stdin.write(key);
  }
  const [code] = await once(terminal, 'close');
  assert.equal(code, 0);
  assert.match(text, /\u001b\[\?1049h[\s\S]*\u001b\[\?1049l/);
  assert.match(text, /q quit, c by calls, t by time, s by self time/);
  assert.equal(await client.read('function_profile_enabled'), '0\n');
  assert.equal(await client.read('options/graph-time'), '1\n');
});

test('of a stopped process top says that it waits, and ends all the same', onTerminal, async (t) => {
  const sandbox = new Sandbox(t);
  const program = await sandbox.start(PROGRAM);
  const { pid } = program;
  const client = sandbox.client(pid);
  const why = `process ${pid} is stopped (SIGSTOP); kill -CONT resumes it`;
  const state = () => Promise.all(STATE.map((path) => client.read(path)));
  const before = await state();
  for (const key of ['q', '\u0003']) {
    const line = `${process.execPath} ${CLI} top --pid ${pid} -d 0.2`;
    const terminal = spawn('script', ['-qec', line, '/dev/null'], { env: sandbox.env({ TERM: 'xterm' }), cwd: sandbox.folder });
    let text = '';
    terminal.stdout.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
    });
    await until(() => text.includes('by time'), 'the table is shown');
    program.kill('SIGSTOP');
    await until(() => text.includes(`${why}; waiting for it, until Ctrl-C`), 'it says what it waits for');
    terminal.stdin.write(key);
    const [code] = await once(terminal, 'close');
    assert.equal(code, 0, text);
    assert.ok(text.endsWith(`fentry: ${why}; then it gets its settings back\r\n`), text);
    program.kill('SIGCONT');
    await until(async () => JSON.stringify(await state()) === JSON.stringify(before), 'everything is as it was');
  }
  program.kill('SIGSTOP');
  const top = sandbox.spawnFentry('top', '--pid', String(pid));
  let said = '';
  top.stderr!.setEncoding('utf8').on('data', (piece: string) => {
    said += piece;
  });
  await until(() => said === `fentry: ${why}; waiting for it, until Ctrl-C\n`, 'it says what it waits for');
  top.kill('SIGINT');
  const [, signal] = await once(top, 'exit');
  assert.equal(signal, 'SIGINT');
  program.kill('SIGCONT');
});

test('a process that ends ends top', async (t) => {
  const sandbox = new Sandbox(t);
  const process = await sandbox.start(PROGRAM);
  const client = sandbox.client(process.pid);
  const top = sandbox.spawnFentry('top', '--pid', String(process.pid), '-d', '1');
  await until(async () => (await client.read('function_profile_enabled')) === '1\n', 'it profiles');
  const ended = finished(top);
  process.kill('SIGKILL');
  const { code, stderr } = await ended;
  assert.equal(code, 0, stderr);
  assert.match(stderr, new RegExp(`process ${process.pid} has ended`));
});

test('a wrong word is refused with what would be right', async (t) => {
  const sandbox = new Sandbox(t);
  const { pid } = await sandbox.start(PROGRAM);
  const said = async (...words: string[]) => (await sandbox.fentry('top', ...words)).stderr;
  assert.match(await said('aera'), /no function matches aera; did you mean area\? \(ENOENT\)/);
  assert.match(await said('-s', 'clals'), /-s clals: must be one of calls, time, self; did you mean calls\?/);
  assert.match(await said('-d', '0'), /-d must be seconds from 0\.1 to 3600, not '0'/);
  assert.match(await said(String(pid)), new RegExp(`a process is chosen with --pid ${pid}`));
  assert.equal(await sandbox.client(pid).read('function_profile_enabled'), '0\n');
});

test('with --alloc it shows who allocates, once or on the terminal, and refuses what only calls have', async (t) => {
  const sandbox = new Sandbox(t);
  const { pid } =
    await sandbox.start(`function waste() { for (let i = 0; i < 200; i++) globalThis.last = new Array(2000).fill(i); }
setInterval(waste, 5);`);
  const once = await sandbox.fentry('top', '--alloc', '-d', '1', '--once', '--pid', String(pid));
  assert.match(once.stdout, /^main thread: .* allocated in .*\nheap .* Buffers .*\n\n allocated\/s/);
  assert.match(once.stdout, / waste +program\.cjs:1\n/);
  assert.match((await sandbox.fentry('top', '--alloc', '-s', 'calls')).stderr, /--alloc takes no PATTERN, -s or -n/);
  assert.match((await sandbox.fentry('top', '--alloc', '-d', '0.5')).stderr, /whole seconds from 1 to 600, not '0\.5'/);
});
