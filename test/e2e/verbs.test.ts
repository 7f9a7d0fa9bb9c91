import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { Sandbox, until } from './support/program.js';

const PROGRAM = `
function handle(n) { return add(n, 1); }
function add(a, b) { return a + b; }
setInterval(() => handle(1), 5);
`;

test('a misspelt function, tracer, clock, option or package is refused with what was probably meant', async (t) => {
  const sandbox = new Sandbox(t);
  await sandbox.start(PROGRAM);
  const said = async (...args: string[]) => (await sandbox.fentry(...args)).stderr;
  assert.match(await said('start', '-g', 'handel'), /no function matches handel; did you mean handle\? \(EINVAL\)/);
  assert.match(
    await said('start', '-p', 'functoin'),
    /no tracer functoin; there are .*function_graph.*; did you mean function\? \(EINVAL\)/,
  );
  assert.match(await said('start', '-C', 'mnoo'), /no clock mnoo; there are local, .*; did you mean mono\? \(EINVAL\)/);
  assert.match(
    await said('start', '-g', 'handle', '-O', 'funcgraph-arg'),
    /there is no such trace option; did you mean funcgraph-args\?/,
  );
  assert.match(await said('show', '-B', 'add'), /there is no instance add \(ENOENT\)/);
  assert.match(await said('list', '-f', ':mod:nothing'), /no function matches :mod:nothing/);
  assert.match(await said('list', 'x'), /choose what to list/);
  assert.match(await said('stop', '4711'), /takes no words: '4711'; a process is chosen with --pid 4711/);
});

test('--help is taken behind other options, and is a word of the command behind its name', async (t) => {
  const sandbox = new Sandbox(t);
  for (const args of [
    ['record', '-o', 'x.dat', '--help'],
    ['start', '--pid', '1', '-p', 'nop', '-h'],
    ['probe', '-f', '--help'],
  ]) {
    const { stdout, code } = await sandbox.fentry(...args);
    assert.match(stdout, new RegExp(`^usage: fentry ${args[0]} `));
    assert.equal(code, 0);
  }
  assert.equal(
    (await sandbox.fentry('record', '-o', sandbox.file('x.dat', ''), process.execPath, '--help')).stdout.startsWith(
      'Usage: node',
    ),
    true,
  );
});

test('start resets the filters and the depth of the one before', async (t) => {
  const sandbox = new Sandbox(t);
  const { pid } = await sandbox.start(PROGRAM);
  const client = sandbox.client(pid);
  assert.equal((await sandbox.fentry('start', '-g', 'handle', '-n', 'add', '--max-graph-depth', '1')).code, 0);
  assert.equal(await client.read('max_graph_depth'), '1\n');
  assert.equal((await sandbox.fentry('start')).code, 0);
  assert.equal(await client.read('set_graph_function'), 'handle\n', 'without options it only goes on');
  assert.equal((await sandbox.fentry('start', '-p', 'function_graph')).code, 0);
  assert.equal(await client.read('max_graph_depth'), '0\n');
  for (const file of ['set_graph_function', 'set_ftrace_notrace']) assert.match(await client.read(file), /^#/, file);
});

test('start, show, extract and reset work on an instance as on the top level', async (t) => {
  const sandbox = new Sandbox(t);
  const { pid } = await sandbox.start(PROGRAM);
  const client = sandbox.client(pid);
  assert.match((await sandbox.fentry('show', '-B', 'adds')).stderr, /there is no instance adds \(ENOENT\)/);
  assert.equal((await sandbox.fentry('start', '-B', 'adds', '-l', 'add')).code, 0);
  await until(async () => / add <-handle/.test((await sandbox.fentry('show', '-B', 'adds')).stdout), 'add is in the instance');
  assert.equal((await sandbox.fentry('list', '-B')).stdout, 'adds\n');
  assert.match((await sandbox.fentry('stat', '-B', 'adds')).stdout, /^Tracer: function\nTracing is: on\nFunction filter: add$/m);
  assert.equal(await client.read('current_tracer'), 'nop\n');
  assert.equal((await sandbox.fentry('extract', '-B', 'adds', '-o', 'adds.dat')).code, 0);
  assert.match((await sandbox.fentry('report', 'adds.dat')).stdout, /function: +add\n/);
  assert.equal((await sandbox.fentry('reset', '-B', 'adds')).code, 0);
  assert.equal(await client.read('instances/adds/current_tracer'), 'nop\n');
});

test('reset takes back commands, pids, the profiler, the stack tracer and the clock', async (t) => {
  const sandbox = new Sandbox(t);
  const { pid } = await sandbox.start(PROGRAM);
  const client = sandbox.client(pid);
  const changed = [
    ['set_ftrace_filter', 'handle:traceoff:3\nadd:stacktrace'],
    ['set_ftrace_pid', String(pid)],
    ['function_profile_enabled', '1'],
    ['trace_clock', 'counter'],
  ] as const;
  const state = () => Promise.all(changed.map(([path]) => client.read(path)));
  const fresh = await state();
  for (const [path, text] of changed) for (const word of text.split('\n')) await client.append(path, `${word}\n`);
  assert.notDeepEqual(await state(), fresh);
  assert.equal((await sandbox.fentry('reset')).code, 0);
  assert.deepEqual(await state(), fresh);
});

test('snapshot takes one and prints it; the buffers go on', async (t) => {
  const sandbox = new Sandbox(t);
  await sandbox.start(PROGRAM);
  await sandbox.fentry('start', '-p', 'function', '-l', 'add');
  await until(async () => / add <-handle/.test((await sandbox.fentry('show')).stdout), 'add is in the trace');
  assert.equal((await sandbox.fentry('snapshot', '-s')).code, 0);
  await until(async () => / add <-handle/.test((await sandbox.fentry('snapshot')).stdout), 'add is in the snapshot');
  assert.match((await sandbox.fentry('show', '-s', '-c', '0')).stdout, / add <-handle/);
  assert.equal((await sandbox.fentry('snapshot', '-f')).code, 0);
  assert.match((await sandbox.fentry('snapshot')).stdout, /Snapshot is freed/);
  assert.match((await sandbox.fentry('snapshot', '-s', '-f')).stderr, /choose one of -s, -r and -f/);
});

test('an extraction that could not be written takes nothing out', async (t) => {
  const sandbox = new Sandbox(t);
  await sandbox.start(PROGRAM);
  await sandbox.fentry('start', '-p', 'function', '-l', 'add');
  await until(async () => / add <-handle/.test((await sandbox.fentry('show')).stdout), 'add is in the trace');
  for (const output of ['no/such/folder/x.dat', '.']) {
    const { code, stderr } = await sandbox.fentry('extract', '-o', output);
    assert.equal(code, 2);
    assert.ok(stderr.includes(`-o ${output}`), stderr);
  }
  assert.equal((await sandbox.fentry('extract', '-o', 'x.dat')).code, 0);
  assert.match((await sandbox.fentry('report', 'x.dat')).stdout, /function: +add\n/);
  assert.deepEqual(
    readdirSync(sandbox.folder).filter((name) => name.includes('.parts-')),
    [],
  );
});

test('write and append write a line for each argument, also one that begins with a dash', async (t) => {
  const sandbox = new Sandbox(t);
  const { pid } = await sandbox.start(PROGRAM);
  const client = sandbox.client(pid);
  const wrote = async (...args: string[]) => {
    const { code, stderr } = await sandbox.fentry(...args);
    assert.deepEqual([code, stderr], [0, '']);
  };
  await wrote('write', 'kprobe_events', 'p:one handle n=$arg1:u32', 'p:two add', '--pid', String(pid));
  await wrote('append', 'kprobe_events', 'p:three handle', '-:two');
  const probes = await client.read('kprobe_events');
  assert.deepEqual(
    probes.split('\n').map((line) => line.split(' ')[0]),
    ['p:kprobes/one', 'p:kprobes/three', ''],
  );
  await wrote('write', 'events/kprobes/one/trigger', 'hist:keys=n', 'traceoff:5 if n > 3');
  assert.match(await client.read('events/kprobes/one/trigger'), /^traceoff:count=5 if n > 3\nhist:keys=n:.*\n$/);
  const { code, stderr } = await sandbox.fentry('append', 'kprobe_events', 'p:four', 'handle');
  assert.equal(code, 1);
  assert.match(stderr, /in line 1 of 2, 'p:four'; each word is a line, and quotes keep words in one \(EINVAL\)\n$/);
});
