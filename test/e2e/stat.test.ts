import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { CLI, finished, Sandbox, until } from './support/program.js';

/** Calls handle and looks up files, in two threads and a child process, and prints how often. */
const COUNTS = `
const { execFileSync } = require('node:child_process');
const { statSync, writeSync } = require('node:fs');
const { Worker, isMainThread } = require('node:worker_threads');
function handle(n) { return n + 1; }
async function later(n) { await null; return n; }
const calls = isMainThread ? 12345 : 678;
for (let i = 0; i < calls; i++) handle(i);
for (let i = 0; i < 20; i++) { statSync('.'); later(i); }
if (isMainThread && process.argv[2] !== 'child') {
  new Worker(__filename).on('exit', () => execFileSync(process.execPath, [__filename, 'child']));
}
`;

/** The program's own looks at files: from Node 22, the loader looks at the entry file, too. */
const STAT = 'op == "stat" && path == "."';

/** Calls handle for ever, in bursts, and says in its output how often once it is told to stop. */
const SERVES = `
function handle(n) { return n + 1; }
setInterval(() => { for (let i = 0; i < 10; i++) handle(i); }, 2);
`;

/** The text of a file; '' before it is there. */
const fileIn = (sandbox: Sandbox, name: string): string =>
  readdirSync(sandbox.folder).includes(name) ? readFileSync(join(sandbox.folder, name), 'utf8') : '';

/** The counts of a table by name. */
const countsIn = (text: string): ReadonlyMap<string, string> =>
  new Map(
    Array.from(text.matchAll(/^ *([\d,]+|<not counted>) {6}(\S+(?: if [^#]*[^#\s])?)/gm), ([, count, name]) => [name!, count!]),
  );

test('the events and calls of a command are counted exactly, in all its threads and processes', async (t) => {
  const sandbox = new Sandbox(t);
  const program = sandbox.file('counts.cjs', COUNTS);
  const words = ['-e', 'fs:op_start', '-f', STAT, '-e', 'handle', '-e', 'later', '-l', 'nosuch*'];
  const { code, stdout, stderr } = await sandbox.fentry('stat', ...words, '--', process.execPath, program);
  assert.equal(code, 0, stderr);
  assert.equal(stdout, '');
  assert.deepEqual(
    [...countsIn(stderr)],
    [
      [`fs:op_start if ${STAT}`, '60'],
      ['handle', (12345 * 2 + 678).toLocaleString('en')],
      ['later', '60'],
      ['nosuch*', '<not counted>'],
    ],
  );
  assert.match(stderr, /^ +[\d.]+ seconds time elapsed\n\n +[\d.]+ seconds user\n +[\d.]+ seconds sys\n/m);
});

test('a library’s own event is counted from its first call', async (t) => {
  const sandbox = new Sandbox(t);
  const program = sandbox.file(
    'shop.cjs',
    `const { traceEvent, u32 } = require('${process.cwd()}/dist/tracepoint.cjs');
     const order = traceEvent('shop', 'order', {
       args: ['price'], fields: { price: u32((price) => price) }, print: '"price=%u", REC->price',
     });
     for (let i = 0; i < 7; i++) order(i);`,
  );
  const { stderr } = await sandbox.fentry('stat', '-e', 'shop:*', '--', process.execPath, program);
  assert.deepEqual([...countsIn(stderr)], [['shop:order', '7']], stderr);
});

test('without a word a command is counted with what Node does, and ends stat with its exit code', async (t) => {
  const sandbox = new Sandbox(t);
  const program = sandbox.file('fails.cjs', "console.log('hello'); process.exitCode = 3;");
  const { code, stdout, stderr } = await sandbox.fentry('stat', '-o', 'counts', process.execPath, program);
  assert.equal(code, 3, stderr);
  assert.equal(stdout, 'hello\n');
  assert.equal(stderr, '');
  const table = fileIn(sandbox, 'counts');
  assert.equal(countsIn(table).get('printk:console'), '1', table);
  assert.equal(countsIn(table).get('http:server_request_start'), '0', table);
});

test('a command that is no Node program, or does not exist, counts nothing', async (t) => {
  const sandbox = new Sandbox(t);
  const { code, stderr } = await sandbox.fentry('stat', '-e', 'gc:gc', 'true');
  assert.equal(code, 0);
  assert.deepEqual([...countsIn(stderr)], [['gc:gc', '<not counted>']]);
  assert.match(stderr, /'true' ran no Node process that fentry could count in/);
  const missing = await sandbox.fentry('stat', 'no-such-command');
  assert.equal(missing.code, 127);
  assert.equal(missing.stderr, 'fentry: no-such-command: command not found\n');
});

test('two stats count in one process at once, each for itself, and leave nothing behind', async (t) => {
  const sandbox = new Sandbox(t);
  const { pid } = await sandbox.start(SERVES);
  const client = sandbox.client(pid);
  await client.mkdir('instances/mine');
  const stat = (...words: string[]) => sandbox.spawnFentry('stat', '--pid', String(pid), ...words);
  const both = [stat('-e', 'handle', '-I', '20'), stat('-l', 'h*', '-e', 'gc')];
  const instances = async () => (await client.list('instances')).map(({ name }) => name);
  await until(async () => (await instances()).length === 4, 'both count');
  const shown = new Promise<void>((resolve) => both[0]!.stderr!.once('data', () => resolve()));
  await shown;
  const ended = both.map((child) => finished(child));
  for (const child of both) child.kill('SIGINT');
  const [intervals, table] = await Promise.all(ended);
  assert.match(intervals!.stderr, /^ +\d+\.\d{9} +[\d,]+ {6}handle +#/m);
  assert.equal(table!.code, 0, table!.stderr);
  assert.deepEqual([...countsIn(table!.stderr).keys()], ['gc:gc', 'h*'], table!.stderr);
  assert.deepEqual(await instances(), ['mine']);
  assert.equal(await client.read('enabled_functions'), '');
});

test('a stat that is killed leaves nothing behind', async (t) => {
  const sandbox = new Sandbox(t);
  const { pid } = await sandbox.start(SERVES);
  const client = sandbox.client(pid);
  const stat = sandbox.spawnFentry('stat', '--pid', String(pid), '-e', 'handle', '-e', 'gc');
  await until(async () => (await client.read('enabled_functions')) !== '', 'it counts');
  stat.kill('SIGKILL');
  await until(async () => (await client.list('instances')).length === 0, 'its instances are gone');
  await until(async () => (await client.read('enabled_functions')) === '', 'nothing is traced');
});

test('what names nothing is refused with what was probably meant, and changes nothing', async (t) => {
  const sandbox = new Sandbox(t);
  const { pid } = await sandbox.start(SERVES);
  const said = async (...words: string[]) => (await sandbox.fentry('stat', '--pid', String(pid), ...words, 'true')).stderr;
  assert.match(await said('-e', 'handel'), /no event and no function matches handel; did you mean handle\? \(ENOENT\)/);
  assert.match(await said('-e', 'gc:cg'), /no event matches -e gc:cg; did you mean gc:gc\? \(ENOENT\)/);
  assert.match(await said('-e', 'gc:gc', '-f', 'nofield > 2'), /Field not found \(EINVAL\)/);
  assert.match(await said('-I', '1'), /-I must be a whole number of at least 10, not '1'/);
  assert.match(await said('-B', 'x'), /-B is for what is being traced/);
  assert.match((await sandbox.fentry('stat', '4711')).stderr, /a process is chosen with --pid 4711/);
  assert.match((await sandbox.fentry('stat', '-o', 'x')).stderr, /-o is for counts/);
  assert.deepEqual(await sandbox.client(pid).list('instances'), []);
});

test('a process is counted while a command runs; an instance of the same name is no obstacle', async (t) => {
  const sandbox = new Sandbox(t);
  const { pid } = await sandbox.start(SERVES);
  const client = sandbox.client(pid);
  // The command makes the instance that a stat of its pid would make, and runs such a stat.
  const inner = sandbox.file(
    'inner.cjs',
    `const { spawn } = require('node:child_process');
     const child = spawn(process.execPath, ['-e', \`
       const { request } = require('node:http');
       const path = '/instances/stat-' + process.pid;
       request({ socketPath: '${client.socketPath}', method: 'MKCOL', path }, (answer) => {
         answer.resume();
         process.argv = [process.execPath, '${CLI}', 'stat', '--pid', '${pid}', '-e', 'handle', 'true'];
         import('file://${CLI}');
       }).end();
     \`], { stdio: 'inherit' });
     child.on('exit', (code) => { process.exitCode = code; });`,
  );
  const { code, stderr } = await sandbox.fentry('stat', '--pid', String(pid), '-e', 'handle', process.execPath, inner);
  assert.equal(code, 0, stderr);
  assert.equal(Array.from(stderr.matchAll(/ {6}handle/g)).length, 2, stderr);
  assert.equal((await client.list('instances')).length, 1);
});

test('a process that ends in the midst ends stat, with the last counts', async (t) => {
  const sandbox = new Sandbox(t);
  const process = await sandbox.start(SERVES);
  const stat = sandbox.spawnFentry('stat', '--pid', String(process.pid), '-e', 'handle', '-o', 'counts', '-I', '20');
  await until(() => fileIn(sandbox, 'counts').includes('handle'), 'it counts');
  const ended = finished(stat);
  process.kill('SIGKILL');
  const { code, stderr } = await ended;
  assert.equal(code, 0, stderr);
  assert.match(stderr, /^fentry: process \d+ has ended; the counts are those of [\d.]+ seconds before/);
});

test('a command that is ended by a signal of stat’s has counted to its end', async (t) => {
  const sandbox = new Sandbox(t);
  const program = sandbox.file(
    'waits.cjs',
    `function handle() {} for (let i = 0; i < 4321; i++) handle(); require('fs').writeFileSync('ready', ''); setInterval(() => {}, 1000);`,
  );
  const stat = sandbox.spawnFentry('stat', '-e', 'handle', '--', process.execPath, program);
  await until(() => readdirSync(sandbox.folder).includes('ready'), 'it has called');
  const ended = finished(stat);
  stat.kill('SIGTERM');
  const { signal, stderr } = await ended;
  assert.equal(signal, 'SIGTERM');
  assert.equal(countsIn(stderr).get('handle'), '4,321', stderr);
});
