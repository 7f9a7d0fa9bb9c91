import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { finished, Sandbox, until } from './support/program.js';

/** Calls tick with one number after the other, and says in a file how far it is. */
const COUNTS = `
const { renameSync, writeFileSync } = require('node:fs');
let n = 0;
function tick(i) { return i; }
setInterval(() => {
  for (let k = 0; k < 20; k++) tick(n++);
  writeFileSync('count.next', String(n));
  renameSync('count.next', 'count');
}, 2);
`;

/** The arguments of tick in a recording. */
async function ticks(sandbox: Sandbox, file: string): Promise<readonly number[]> {
  const { stdout } = await sandbox.fentry('report', file);
  return Array.from(stdout.matchAll(/: +tick\((\d+)\)/g), ([, n]) => Number(n));
}

const assertConsecutive = (numbers: readonly number[]): void =>
  assert.deepEqual(
    numbers.filter((n, i) => i > 0 && n !== numbers[i - 1]! + 1),
    [],
  );

test('a running process is recorded without a gap as long as a command runs, and is left as it was', async (t) => {
  const sandbox = new Sandbox(t);
  const { pid } = await sandbox.start(COUNTS);
  const client = sandbox.client(pid);
  // It holds what the program does in many seconds: the recorder may have to wait for a core.
  await client.write('buffer_size_kb', '10000\n');
  const size = await client.read('buffer_size_kb');
  // Ends once the program has counted 2000 further.
  const wait = sandbox.file(
    'wait.cjs',
    `const count = () => Number(require('node:fs').readFileSync('count', 'utf8'));
     const first = count();
     setInterval(() => { if (count() > first + 2000) process.exit(4); }, 5);`,
  );
  const selection = ['-p', 'function', '-l', 'tick', '-O', 'func-args'];
  await until(() => readdirSync(sandbox.folder).includes('count'), 'the program counts');
  const record = ['record', '--pid', String(pid), ...selection, '-o', 'live.dat', process.execPath, wait];
  const { code, stderr } = await sandbox.fentry(...record);
  assert.equal(code, 4, stderr);
  assert.match(stderr, /^fentry: [\d,]+ events, 0 lost, .* recorded; live\.dat has /m);
  const seen = await ticks(sandbox, 'live.dat');
  assert.ok(seen.length > 800, `${seen.length} calls were recorded`);
  assertConsecutive(seen);
  assert.equal(await client.read('current_tracer'), 'nop\n');
  assert.equal(await client.read('buffer_size_kb'), size);
  assert.match(await client.read('set_ftrace_filter'), /all functions enabled/);
});

test('a process whose recorder is killed stops tracing, and restore makes a recording of what was read', async (t) => {
  const sandbox = new Sandbox(t);
  const { pid } = await sandbox.start(COUNTS);
  const client = sandbox.client(pid);
  const record = sandbox.spawnFentry('record', '-P', String(pid), '-p', 'function', '-l', 'tick');
  const parts = (): readonly string[] => readdirSync(sandbox.folder, { recursive: true }).map(String);
  const areThere = (): boolean => [/\.cpu0\.\d+$/, /\.symbols$/].every((name) => parts().some((one) => name.test(one)));
  await until(areThere, 'something is recorded');
  record.kill('SIGKILL');
  await until(async () => (await client.read('tracing_on')) === '0\n', 'tracing is off');
  await until(async () => Number.parseInt(await client.read('buffer_size_kb'), 10) < 100, 'the buffers are freed');
  const { code, stderr } = await sandbox.fentry('restore');
  assert.equal(code, 0, stderr);
  assert.match((await sandbox.fentry('report')).stdout, /function: +tick/);
});

test('a recording of running processes keeps the newest events, too', async (t) => {
  const sandbox = new Sandbox(t);
  const { pid } = await sandbox.start(`function tick() {} setInterval(() => { for (let i = 0; i < 5000; i++) tick(); }, 2);`);
  // Ends when much more was recorded than is kept.
  const wait = sandbox.file(
    'wait.cjs',
    `const { readdirSync } = require('node:fs');
    setInterval(() => {
      const names = readdirSync('.', { recursive: true });
      if (names.some((name) => Number(/\\.cpu0\\.(\\d+)$/.exec(name)?.[1]) > 60)) process.exit();
    }, 20);`,
  );
  const small = ['--max-size', '1M', '-p', 'function', '-l', 'tick'];
  const { code, stderr } = await sandbox.fentry('record', '-P', String(pid), ...small, process.execPath, wait);
  assert.equal(code, 0, stderr);
  assert.match(stderr, /^fentry: recording into trace\.dat, at most 1\.0 MB: the newest events are kept\n/);
  const [, kept = '', older = ''] =
    /the newest ([\d,]+) events are kept, ([\d,]+) older ones are not: --max-size 1\.0 MB/.exec(stderr) ?? [];
  const all = /^fentry: ([\d,]+) events, /m.exec(stderr)?.[1] ?? '';
  const number = (text: string): number => Number(text.replaceAll(',', ''));
  assert.equal(number(kept) + number(older), number(all), stderr);
  assert.ok(statSync(join(sandbox.folder, 'trace.dat')).size < 1.5 * 2 ** 20);
});

test('without a command it is recorded until a signal, or until it ends itself', async (t) => {
  const sandbox = new Sandbox(t);
  const program = await sandbox.start(COUNTS);
  for (const [file, stop] of [
    ['signal.dat', (record: { kill(signal: 'SIGINT'): boolean }) => record.kill('SIGINT')],
    ['ended.dat', () => program.kill('SIGKILL')],
  ] as const) {
    const record = sandbox.spawnFentry('record', '-P', String(program.pid), '-p', 'function', '-l', 'tick', '-o', file);
    const end = finished(record);
    const parts = () => readdirSync(sandbox.folder).find((name) => name.startsWith(`${file}.parts-`)) ?? '';
    const taken = () => parts() !== '' && readdirSync(join(sandbox.folder, parts())).some((name) => /\.cpu0\.\d+$/.test(name));
    await until(taken, 'something is recorded');
    stop(record);
    const { code, stderr } = await end;
    assert.equal(code, 0, stderr);
    assert.match((await sandbox.fentry('report', file)).stdout, /function: +tick/);
  }
  assert.deepEqual(
    readdirSync(sandbox.folder).filter((name) => name.includes('.parts-')),
    [],
  );
});

test('a second recorder of a process is refused before it changes anything', async (t) => {
  const sandbox = new Sandbox(t);
  const { pid } = await sandbox.start(COUNTS);
  const client = sandbox.client(pid);
  const first = sandbox.spawnFentry('record', '-P', String(pid), '-p', 'function', '-l', 'tick', '-o', 'first.dat');
  const end = finished(first);
  await until(async () => (await client.read('current_tracer')) === 'function\n', 'the first records');
  await until(async () => (await client.read('tracing_on')) === '1\n', 'the first records');
  const files = ['current_tracer', 'set_ftrace_filter', 'buffer_size_kb', 'tracing_on', 'options/disable_on_free'] as const;
  const state = (): Promise<readonly string[]> => Promise.all(files.map((file) => client.read(file)));
  const before = await state();
  const second = await sandbox.fentry('record', '-P', String(pid), '-p', 'function_graph', '-o', 'second.dat', 'true');
  assert.equal(second.code, 1);
  assert.match(second.stderr, new RegExp(`it is recorded already, by process ${first.pid} \\(fentry\\) \\(EBUSY\\)`));
  assert.deepEqual(await state(), before);
  first.kill('SIGINT');
  assert.equal((await end).code, 0, (await end).stderr);
  const again = await sandbox.fentry(
    'record',
    '-P',
    String(pid),
    '-p',
    'function',
    '-l',
    'tick',
    '-o',
    'again.dat',
    'sleep',
    '1',
  );
  assert.equal(again.code, 0, again.stderr);
});

test('of a program that is killed as many events are told as its recording has', async (t) => {
  const sandbox = new Sandbox(t);
  const source = `function tick(i) { return i; }
    const end = Date.now() + 700;
    for (let i = 0; Date.now() < end; i++) tick(i);
    process.abort();`;
  const program = sandbox.file('killed.cjs', source);
  const { stderr } = await sandbox.fentry(
    'record',
    '-p',
    'function',
    '-l',
    'tick',
    '-o',
    'killed.dat',
    '--',
    process.execPath,
    program,
  );
  const told = Number(/^fentry: ([\d,]+) events, /m.exec(stderr)?.[1]?.replaceAll(',', ''));
  const { stdout } = await sandbox.fentry('report', 'killed.dat');
  assert.equal(told, stdout.match(/function: +tick/g)?.length, stderr);
});
