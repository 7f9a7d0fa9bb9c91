import assert from 'node:assert/strict';
import { existsSync, lstatSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { CLI, finished, Sandbox, until } from './support/program.js';

const FAMILY = `
const { Worker, isMainThread } = require('node:worker_threads');
const { execFileSync } = require('node:child_process');
function inMain() {}
function inWorker() {}
function inChild() {}
if (process.argv[2] === 'child') { inChild(); process.exit(); }
if (!isMainThread) inWorker();
else {
  inMain();
  execFileSync(process.execPath, [__filename, 'child']);
  new Worker(__filename).on('exit', () => process.exit(7));
}
`;

const leftovers = (sandbox: Sandbox): readonly string[] => readdirSync(sandbox.folder).filter((name) => name.includes('.parts-'));

test('record follows workers and child processes, and passes the exit code on', async (t) => {
  const sandbox = new Sandbox(t);
  const program = sandbox.file('family.cjs', FAMILY);
  const { code, stderr, stdout } = await sandbox.fentry(
    'record',
    '-p',
    'function',
    '-o',
    'family.dat',
    '--',
    process.execPath,
    program,
  );
  assert.equal(code, 7);
  assert.equal(stdout, '');
  assert.match(
    stderr,
    /^fentry: recording into family\.dat, .*\nfentry: \d+ events, 0 lost, .* recorded; family\.dat has .*\nfentry: of 2 processes: .*\n$/,
  );
  const report = (await sandbox.fentry('report', '-i', 'family.dat')).stdout;
  const cpuOf = (name: string): string => new RegExp(`\\[(\\d+)\\].*function: +${name}\\b`).exec(report)?.[1] ?? `no ${name}`;
  const cpus = ['inMain', 'inWorker', 'inChild'].map(cpuOf);
  assert.deepEqual([...new Set(cpus)].length, 3, cpus.join(' '));
  assert.equal(cpus[0], '000');
  assert.deepEqual(leftovers(sandbox), []);
});

/** The parent's functions stand where other ones stand in the child's file. */
const STACKS = `
const { execFileSync } = require('node:child_process');
const { writeFileSync } = require('node:fs');
function ofParent() {}
writeFileSync('child.cjs', 'function ofChild() {} function callOfChild() { ofChild(); } callOfChild(); function alsoOfChild() {}');
ofParent();
execFileSync(process.execPath, ['child.cjs']);
`;

test("a child's stacks have the child's names", async (t) => {
  const sandbox = new Sandbox(t);
  const program = sandbox.file('stacks.cjs', STACKS);
  const options = ['-p', 'function', '-l', 'of*', '-O', 'func_stack_trace', '-o', 'stacks.dat'];
  const { code, stderr } = await sandbox.fentry('record', ...options, process.execPath, program);
  assert.equal(code, 0, stderr);
  const { stdout } = await sandbox.fentry('report', '--trace', '-i', 'stacks.dat');
  assert.match(stdout, /<stack trace>\n => ofChild\n => callOfChild\n/);
});

/** Kills itself when some of its calls have been written. */
const KILLED = `
const { readdirSync, statSync } = require('node:fs');
function busy(n) { return n + 1; }
const isWritten = () => readdirSync('.', { recursive: true }).some((name) => /\\.cpu0\\.\\d+$/.test(name) && statSync(name).size > 0);
do for (let i = 0; i < 1000; i++) busy(i);
while (!isWritten());
process.kill(process.pid, 'SIGKILL');
`;

test('what a killed program did is kept', async (t) => {
  const sandbox = new Sandbox(t);
  const program = sandbox.file('killed.cjs', KILLED);
  const { code, stderr } = await sandbox.fentry('record', '-p', 'function', '-o', 'killed.dat', process.execPath, program);
  assert.equal(code, 128 + 9);
  assert.match(stderr, /recorded; killed\.dat has/);
  assert.ok(stderr.endsWith(`\nfentry: ${process.execPath} was ended by SIGKILL\n`), stderr);
  const { stdout } = await sandbox.fentry('report', '-i', 'killed.dat');
  assert.match(stdout, /function: +busy/);
});

test('a signal that ends the program ends record', async (t) => {
  const sandbox = new Sandbox(t);
  const program = sandbox.file('waits.cjs', 'function begin() { console.log("up"); setInterval(() => {}, 1000); } begin();');
  const record = sandbox.spawnFentry('record', '-o', 'waits.dat', process.execPath, program);
  let up = false;
  record.stdout?.once('data', () => {
    up = true;
  });
  const end = finished(record);
  await until(() => up, 'the program is up');
  record.kill('SIGTERM');
  assert.equal((await end).signal, 'SIGTERM');
  assert.equal(existsSync(join(sandbox.folder, 'waits.dat')), true);
});

test('a program that ends at once ends its recording at once', async (t) => {
  const sandbox = new Sandbox(t);
  const { code, signal, stderr } = await sandbox.fentry(
    'record',
    '--',
    process.execPath,
    sandbox.file('at-once.cjs', 'process.exit(3)'),
  );
  assert.deepEqual([code, signal], [3, null], stderr);
  assert.match(stderr, /^fentry: 1 events, 0 lost/m);
});

test('a link to a file that is not there yet names the recording’s place', async (t) => {
  const sandbox = new Sandbox(t);
  symlinkSync('real.dat', join(sandbox.folder, 'link.dat'));
  const { code, stderr } = await sandbox.fentry(
    'record',
    '-o',
    'link.dat',
    process.execPath,
    sandbox.file('f.cjs', 'function f() {} f();'),
  );
  assert.equal(code, 0, stderr);
  assert.equal(lstatSync(join(sandbox.folder, 'link.dat')).isSymbolicLink(), true);
  assert.equal(existsSync(join(sandbox.folder, 'real.dat')), true);
});

test('a missing command gives the message and the exit code of a shell', async (t) => {
  const sandbox = new Sandbox(t);
  const earlier = sandbox.file('trace.dat', 'an earlier recording');
  // A folder in PATH that this user may not search would be told of instead.
  const { code, stderr } = await sandbox.run([CLI, 'record', 'no-such-command'], { PATH: sandbox.folder });
  assert.equal(code, 127);
  assert.match(stderr, /^fentry: recording into .*\nfentry: no-such-command: command not found\n$/);
  assert.equal(readFileSync(earlier, 'utf8'), 'an earlier recording');
  assert.deepEqual(
    readdirSync(sandbox.folder).filter((name) => name.includes('parts')),
    [],
  );
});

test('a file that is no command is answered with what runs it', async (t) => {
  const sandbox = new Sandbox(t);
  sandbox.file('app.js', '');
  for (const [file, message] of [
    ['app.js', /fentry: app\.js: command not found; a file is run by a command: node app\.js\n$/],
    ['./app.js', /fentry: \.\/app\.js: permission denied; a file is run by a command: node \.\/app\.js\n$/],
    ['none.js', /fentry: none\.js: command not found\n$/],
  ] as const) {
    assert.match((await sandbox.fentry('record', file)).stderr, message);
  }
});

test('a command line that makes no sense is answered with what would', async (t) => {
  const sandbox = new Sandbox(t);
  for (const [args, message] of [
    [['record'], /name the command to record/],
    [
      ['record', '-p', 'function', '--nonsense', 'x'],
      /there is no option '--nonsense'\nfentry record --help lists the options\.\n$/,
    ],
    [['record', '-p', 'graph', 'true'], /-p graph: must be one of function_graph, function/],
    [['record', '-o', '.', 'true'], /-o \. is a folder/],
    [['record', '-o', '', 'true'], /-o needs the name of a file/],
    [['record', '-o', '/dev/null/t.dat', 'true'], /-o \/dev\/null\/t\.dat cannot be written: ENOTDIR/],
    [['record', '-o', '/dev/null', 'true'], /-o \/dev\/null is not a regular file/],
    [['record', '-o', 'nowhere/t.dat', 'true'], /-o nowhere\/t\.dat cannot be written: ENOENT/],
    [['record', '-b', 'many', 'true'], /-b must be a whole number of at least 1, not 'many'/],
    [['start', 'node'], /to trace a command: fentry record -- COMMAND/],
    [['list'], /choose what to list: -f functions/],
    [['recrod'], /there is no verb 'recrod'; did you mean 'record'/],
    [['--pid', '1', 'recrod'], /there is no verb 'recrod'/],
    [['stream'], /there is no verb 'stream'; here it is fentry show -p/],
    [['nonsense'], /there is no verb 'nonsense'/],
  ] as const) {
    const { code, stderr } = await sandbox.fentry(...args);
    assert.equal(code, 2, args.join(' '));
    assert.match(stderr, message);
  }
  assert.deepEqual(leftovers(sandbox), []);
});

test('an empty recording says why', async (t) => {
  const sandbox = new Sandbox(t);
  const program = sandbox.file('handle.cjs', 'function handle() {} handle();');
  const said = async (...args: string[]) => (await sandbox.fentry('record', ...args)).stderr;
  assert.match(await said('true'), /started no Node process\n$/);
  assert.match(
    await said('-l', 'handel', process.execPath, program),
    /no function was called that matches -l handel \(code from eval, /,
  );
  assert.doesNotMatch(await said('-l', 'handle', process.execPath, program), /nothing was recorded/);
});
