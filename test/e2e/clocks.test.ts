import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { noTraceCmd, traceCmd } from '../trace-dat/trace-cmd.js';
import { CLI, PRELOAD, Sandbox, until } from './support/program.js';

const TWO_THREADS = `
const { Worker, isMainThread } = require('node:worker_threads');
function inMain(n) { return n + 1; }
function inWorker(n) { return n + 2; }
if (isMainThread) new Worker(__filename);
setInterval(() => (isMainThread ? inMain : inWorker)(1), 1);
`;

const timesOf = (text: string): string[] => [...text.matchAll(/ +([\d.]+): (?:inMain|inWorker) /g)].map(([, time]) => time!);

test('counter gives every event of every thread a unique number, in order; another clock empties the buffers', async (t) => {
  const sandbox = new Sandbox(t);
  await sandbox.start(TWO_THREADS, { FENTRY: 'ftrace=function ftrace_filter=in* trace_clock=counter' });
  const trace = (): Promise<string> => sandbox.read('trace');
  await until(async () => /: inMain /.test(await trace()) && /: inWorker /.test(await trace()), 'both threads record');
  const numbers = timesOf(await trace()).map(Number);
  assert.ok(numbers.every(Number.isSafeInteger));
  assert.deepEqual(
    numbers,
    [...new Set(numbers)].sort((a, b) => a - b),
  );

  await sandbox.fentry('write', 'trace_clock', 'mono');
  await until(async () => timesOf(await trace()).length > 3, 'there are new events');
  const seconds = timesOf(await trace());
  assert.ok(seconds.every((time) => /^\d+\.\d{6}$/.test(time)));
  const now = process.hrtime()[0];
  assert.ok(
    seconds.every((time) => Number(time) <= now + 1 && Number(time) > now - 3600),
    seconds[0],
  );

  await sandbox.fentry('write', 'trace_clock', 'uptime');
  await until(async () => timesOf(await trace()).length > 3, 'there are new events');
  assert.ok(timesOf(await trace()).every((time) => /^\d+$/.test(time) && Number(time) <= (now + 60) * 100));
});

test('a clock that Node does not have is refused with the reason', async (t) => {
  const sandbox = new Sandbox(t);
  await sandbox.start(TWO_THREADS);
  for (const clock of ['mono_raw', 'tai']) {
    assert.match((await sandbox.fentry('write', 'trace_clock', clock)).stderr, /cannot|neither/);
  }
  assert.match(
    await sandbox.read('error_log'),
    /trace_clock: error: Node cannot read CLOCK_MONOTONIC_RAW\n {2}Command: mono_raw\n {11}\^/,
  );
  assert.match(await sandbox.read('trace_clock'), /^\[local\] global counter uptime perf mono boot( x86-tsc)?$/m);
});

test('x86-tsc counts as the processor does; without WebAssembly it is refused', async (t) => {
  const sandbox = new Sandbox(t);
  const { pid } = await sandbox.start(TWO_THREADS, { FENTRY: 'ftrace=function ftrace_filter=in*' });
  const refused = (await sandbox.fentry('write', '--pid', String(pid), 'trace_clock', 'x86-tsc')).stderr;
  if (refused !== '') t.skip(refused);
  else {
    await until(async () => timesOf(await sandbox.read('trace')).length > 20, 'there are new events');
    const counts = timesOf(await sandbox.read('trace')).map(Number);
    assert.ok(counts.every(Number.isSafeInteger));
    // Some MHz at least: a count is not a tick of anything else.
    assert.ok(counts.at(-1)! - counts[0]! > (counts.length / 4) * 1e6, `${counts[0]} to ${counts.at(-1)}`);
    const { stdout } = await sandbox.fentry('cat', 'per_cpu/cpu0/stats');
    assert.match(stdout, /^now ts: \d+$/m);
  }
});

test('trace_clock_source says what times are read from, and why that is not the counter', async (t) => {
  const sandbox = new Sandbox(t);
  await sandbox.start(TWO_THREADS);
  assert.match(await sandbox.read('trace_clock_source'), /^counter\n$|^monotonic: .+\n$/);
  const other = new Sandbox(t);
  // What Node itself is started with, so that fentry's threads have it too.
  other.spawn(['--jitless', '--no-warnings', '--import', PRELOAD, other.file('program.cjs', TWO_THREADS)]);
  await until(async () => (await other.read('trace_clock_source')) !== '', 'it can be reached');
  const source = await other.read('trace_clock_source');
  assert.match(source, /^monotonic: .*WebAssembly.*\n$/);
  assert.match((await other.fentry('stat')).stdout, new RegExp(`^Clock source: ${source.trim()}$`, 'm'));
});

const SPINS = `
function spin() { const end = process.hrtime.bigint() + 3_000_000n; while (process.hrtime.bigint() < end); }
for (let i = 0; i < 10; i++) spin();
`;

test('tsc2nsec is x86-tsc with its conversion in the recording; x86-tsc alone has none', async (t) => {
  const sandbox = new Sandbox(t);
  const program = sandbox.file('spins.cjs', SPINS);
  const recordBy = (clock: string) => [
    CLI,
    'record',
    '-C',
    clock,
    '-p',
    'function',
    '-l',
    'spin',
    '--',
    process.execPath,
    program,
  ];
  const began = process.hrtime.bigint();
  const { code, stderr } = await sandbox.run(recordBy('tsc2nsec'));
  const lasted = Number(process.hrtime.bigint() - began) / 1e9;
  if (code !== 0) {
    assert.match(stderr, /-C tsc2nsec: the time stamp counter cannot be read: \w/);
    t.skip(stderr);
    return;
  }
  const seconds = [...(await sandbox.fentry('report')).stdout.matchAll(/ (\d+\.\d{6}): function: +spin/g)].map(([, time]) =>
    Number(time),
  );
  assert.equal(seconds.length, 10);
  const between = seconds.at(-1)! - seconds[0]!;
  assert.ok(between >= 9 * 0.003 - 1e-4 && between < lasted, `${between} of ${lasted} s`);
  if (noTraceCmd === false) {
    const file = join(sandbox.folder, 'trace.dat');
    assert.equal(traceCmd('report', '-i', file).stdout, (await sandbox.fentry('report')).stdout);
    assert.match(
      traceCmd('dump', '--options', '-i', file).stdout,
      /\[x86-tsc\][\s\S]*Option TSC2NSEC[\s\S]*"tsc2nsec" \[clock\]/,
    );
  }

  assert.equal((await sandbox.run(recordBy('x86-tsc'))).code, 0);
  const { stdout } = await sandbox.fentry('report');
  const counts = [...stdout.matchAll(/\](\d+): function: +spin| (\d+): function: +spin/g)].map(([, a, b]) => Number(a ?? b));
  assert.equal(counts.length, 10);
  assert.ok(counts.at(-1)! - counts[0]! > between * 5e8, 'some counts a nanosecond');
});

test('a recording has the times of the clock that it was made with', async (t) => {
  const sandbox = new Sandbox(t);
  const program = sandbox.file('short.cjs', 'function one() {}\nfor (let i = 0; i < 3; i++) one();');
  const FENTRY = 'trace_clock=counter';
  const { code } = await sandbox.run([CLI, 'record', '-p', 'function', '-l', 'one', '--', process.execPath, program], { FENTRY });
  assert.equal(code, 0);
  const { stdout } = await sandbox.fentry('report');
  const [first = 0, ...others] = [...stdout.matchAll(/(\S+): function: +one/g)].map(([, time]) => Number(time));
  assert.ok(Number.isSafeInteger(first));
  assert.deepEqual(others, [first + 1, first + 2]);
});
