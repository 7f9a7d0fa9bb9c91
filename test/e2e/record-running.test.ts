import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
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
  assert.match(stderr, /^fentry: 0 events lost; live\.dat has /m);
  const seen = await ticks(sandbox, 'live.dat');
  assert.ok(seen.length > 800, `${seen.length} calls were recorded`);
  assertConsecutive(seen);
  assert.equal(await client.read('current_tracer'), 'nop\n');
  assert.equal(await client.read('buffer_size_kb'), size);
  assert.match(await client.read('set_ftrace_filter'), /all functions enabled/);
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
    const taken = () => parts() !== '' && readdirSync(join(sandbox.folder, parts())).includes('cpu0');
    await until(() => taken() && readFileSync(join(sandbox.folder, parts(), 'cpu0')).length > 0, 'something is recorded');
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
