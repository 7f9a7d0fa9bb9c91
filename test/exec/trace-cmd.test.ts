import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { until } from '../e2e/support/program.js';
import { cannotExec } from '../mount/mountable.js';
import { execTarget } from './exec-target.js';

const skip = cannotExec('trace-cmd');

const GRAPH = /^ 0\) .*\| {2}handle\(\) \{\n 0\) .*\| {4}middle\(\) \{\n 0\) .* us +\| {6}leaf\(\);$/m;

/** Waits until a hundred events were recorded, read or not. */
const A_HUNDRED = `
until awk -F': ' '/^(entries|read events)/ { sum += $2 } END { exit sum <= 100 }' /sys/kernel/tracing/per_cpu/cpu0/stats
do sleep 0.1
done`;

/** What trace-cmd prints of a recording; it needs no tracefs for that. */
const report = (file: string): string =>
  execFileSync('trace-cmd', ['report', '-i', file], { encoding: 'utf8', maxBuffer: 1 << 28 });

test('trace-cmd list', { skip }, async (t) => {
  const { exec } = await execTarget(t);
  const listed = async (option: string) => (await exec('trace-cmd', 'list', option)).stdout;
  assert.match(await listed('-t'), /\bfunction_graph\b.*\bnop\n/);
  assert.match(await listed('-f'), /^leaf\nmiddle\nhandle\n/);
  assert.match(await listed('-o'), /^(no)?funcgraph-abstime$/m);
  assert.match(await listed('-C'), /^\[local\] global/m);
  assert.match(await listed('-s'), /^ftrace$/m);
  assert.equal((await exec('trace-cmd', 'list', '-e')).code, 0);
});

test('trace-cmd start -p function_graph -g, show, stat, stop, reset', { skip }, async (t) => {
  const { exec, read } = await execTarget(t);
  const started = await exec('trace-cmd', 'start', '-p', 'function_graph', '-g', 'handle');
  assert.equal(started.code, 0, started.stderr);
  assert.equal(await read('current_tracer'), 'function_graph\n');
  assert.equal(await read('set_graph_function'), 'handle\n');
  const { stdout: state } = await exec('trace-cmd', 'stat');
  assert.match(state, /^Tracer: function_graph$/m);
  assert.match(state, /^Function Graph Filter:\n {3}handle$/m);
  assert.match(state, /^Tracing is enabled$/m);
  await until(async () => GRAPH.test(await read('trace')), 'handle was called');
  assert.equal((await exec('trace-cmd', 'stop')).code, 0);
  assert.equal(await read('tracing_on'), '0\n');
  const { stdout: shown } = await exec('trace-cmd', 'show');
  assert.match(shown, GRAPH);
  const reset = await exec('trace-cmd', 'reset');
  assert.equal(reset.code, 0, reset.stderr);
  assert.equal(await read('current_tracer'), 'nop\n');
  assert.match(await read('set_graph_function'), /all functions enabled/);
});

test('trace-cmd record -p function -l, and report', { skip }, async (t) => {
  const { sandbox, exec, read } = await execTarget(t);
  const file = join(sandbox.folder, 'function.dat');
  const recorded = await exec('trace-cmd', 'record', '-o', file, '-p', 'function', '-l', 'leaf', 'sh', '-c', A_HUNDRED);
  assert.equal(recorded.code, 0, recorded.stderr);
  const lines = report(file)
    .split('\n')
    .filter((line) => line.includes('function:'));
  assert.ok(lines.length > 100);
  for (const line of lines) assert.match(line, /node-\d+ +\[000\].* function: +leaf$/);
  assert.equal(await read('current_tracer'), 'nop\n');
});

/** Bytes of unread events, below which trace-cmd need not wake up, and a burst has room in 64 KiB. */
const READ = 40_000;
/** Each burst is ten turns of five calls of handle. */
const BURSTS = 25;
const CALLS = BURSTS * 50;

test('trace-cmd record -p function_graph splices page by page, and nothing is lost', { skip }, async (t) => {
  const { sandbox, program, exec } = await execTarget(t);
  const [file, begun, done] = ['graph.dat', 'begun', 'done'].map((name) => join(sandbox.folder, name)) as [
    string,
    string,
    string,
  ];
  program.stdin!.write('0\n');
  const command = `touch ${begun}; until test -e ${done}; do sleep 0.1; done`;
  const options = ['-o', file, '-b', '64', '-p', 'function_graph', '-g', 'handle'];
  const recording = exec('trace-cmd', 'record', ...options, 'sh', '-c', command);
  await until(() => existsSync(begun), 'trace-cmd records');
  const client = sandbox.client(program.pid);
  const stat = async (name: string): Promise<number> =>
    Number(new RegExp(`^${name}: (\\d+)`, 'm').exec(await client.read('per_cpu/cpu0/stats'))?.[1]);
  for (let burst = 1; burst <= BURSTS; burst++) {
    program.stdin!.write('10\n');
    // The next burst comes when this one is there, and as much is read as trace-cmd reads by itself: half a buffer at a time.
    const isRecorded = async (): Promise<boolean> => (await stat('entries')) + (await stat('read events')) >= burst * 50 * 8;
    await until(async () => (await isRecorded()) && (await stat('bytes')) < READ, `burst ${burst} is recorded`);
  }
  sandbox.file('done', '');
  const recorded = await recording;
  assert.equal(recorded.code, 0, recorded.stderr);
  const text = report(file);
  assert.match(text, /funcgraph_entry: +\| {2}handle\(\) \{$/m);
  assert.match(text, /funcgraph_entry: +[!+ ]* ?\d+\.\d+ us +\| {6}leaf\(\);$/m);
  assert.doesNotMatch(text, /LOST/);
  // Far more than the buffer holds: it was read while the program ran.
  const count = (word: string): number => text.split(word).length - 1;
  assert.deepEqual([count('middle()'), count('leaf()')], [CALLS, 2 * CALLS]);
});

test('trace-cmd extract takes out what start has recorded', { skip }, async (t) => {
  const { sandbox, exec, read } = await execTarget(t);
  const file = join(sandbox.folder, 'extracted.dat');
  await exec('trace-cmd', 'start', '-p', 'function_graph', '-g', 'handle');
  await until(async () => GRAPH.test(await read('trace')), 'handle was called');
  await exec('trace-cmd', 'stop');
  const extracted = await exec('trace-cmd', 'extract', '-o', file);
  assert.equal(extracted.code, 0, extracted.stderr);
  assert.match(report(file), /funcgraph_entry: +\| {2}handle\(\) \{$/m);
});
