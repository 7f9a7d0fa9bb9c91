import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { finished, Sandbox, until } from './support/program.js';

/** Says its pid, and starts a child of itself when there is a file named gate. */
const SERVER = `
const { spawn } = require('node:child_process');
const { existsSync } = require('node:fs');
let isStarted = false;
function tick() {
  if (isStarted || !existsSync('gate')) return;
  isStarted = true;
  spawn(process.execPath, [__filename, 'child'], { stdio: 'inherit' });
}
function inChild() {}
if (process.argv[2] === 'child') { inChild(); console.log('child ended'); }
else {
  setInterval(tick, 1);
  console.log('pid ' + process.pid);
}
`;

const partsOf = (sandbox: Sandbox): string =>
  join(sandbox.folder, readdirSync(sandbox.folder).find((name) => name.includes('.parts-')) ?? '');
const segmentsOf = (sandbox: Sandbox): readonly string[] =>
  readdirSync(partsOf(sandbox)).filter((name) => /\.cpu0\.\d+$/.test(name));

/** Starts a recording of SERVER whose recorder is then killed. */
async function killedRecording(sandbox: Sandbox) {
  const program = sandbox.file('server.cjs', SERVER);
  const record = sandbox.spawnFentry('record', '-p', 'function', '-o', 'server.dat', '--', process.execPath, program);
  let stdout = '';
  let stderr = '';
  record.stdout!.on('data', (text) => {
    stdout += text;
  });
  record.stderr!.on('data', (text) => {
    stderr += text;
  });
  const isWritten = (): boolean =>
    /pid \d+/.test(stdout) && segmentsOf(sandbox).some((name) => statSync(join(partsOf(sandbox), name)).size > 0);
  await until(isWritten, 'something is written');
  const pid = Number(/pid (\d+)/.exec(stdout)?.[1]);
  const busy = await sandbox.fentry('restore', partsOf(sandbox));
  assert.equal(busy.code, 1);
  assert.match(busy.stderr, new RegExp(`process ${record.pid} is recording into .* \\(EBUSY\\)`));
  record.kill('SIGKILL');
  await once(record, 'exit');
  return { pid, stdout: () => stdout, stderr: () => stderr };
}

test('a program whose recorder is killed stops tracing, and restore makes a recording of what there is', async (t) => {
  const sandbox = new Sandbox(t);
  const { pid, stdout, stderr } = await killedRecording(sandbox);
  t.after(() => process.kill(pid, 'SIGKILL'));
  await until(() => /recording ends: fentry record was killed; fentry restore \S+ makes/.test(stderr()), 'it is said');
  assert.equal(await sandbox.client(pid).read('current_tracer'), 'nop\n');
  // What it starts from now on is not recorded.
  sandbox.file('gate', '');
  await until(() => stdout().includes('child ended'), 'a child has run');
  assert.equal(readdirSync(partsOf(sandbox)).filter((name) => name.endsWith('.process')).length, 1);

  const restored = await sandbox.fentry('restore');
  assert.equal(restored.code, 0, restored.stderr);
  assert.match(
    restored.stderr,
    /^fentry: [\d,]+ events, 0 lost, .* recorded; server\.dat has .*\nfentry: server\.dat\.parts-\w+ is no longer needed\n$/,
  );
  const { stdout: report } = await sandbox.fentry('report', 'server.dat');
  assert.match(report, /function: +tick/);
  assert.doesNotMatch(report, /inChild/);
});

test('restore says what it cannot make a recording of', async (t) => {
  const sandbox = new Sandbox(t);
  for (const [args, message] of [
    [[], /there is no NAME\.parts-XXXXXX in this folder/],
    [['.'], /\. has no parts of a recording \(EINVAL\)/],
    [['nowhere'], /there is no folder nowhere \(ENOENT\)/],
    [['a', 'b'], /name one folder only: 'b'/],
  ] as const) {
    const { code, stderr } = await sandbox.fentry('restore', ...args);
    assert.notEqual(code, 0);
    assert.match(stderr, message);
  }
});

test('a recorder that ended as it should leaves nothing behind by a child that outlives the command', async (t) => {
  const sandbox = new Sandbox(t);
  sandbox.file('outlives.cjs', 'function tick() {} setInterval(tick, 1);');
  const program = sandbox.file(
    'short.cjs',
    `const { spawn } = require('node:child_process');
    const child = spawn(process.execPath, ['outlives.cjs'], { detached: true, stdio: 'ignore' });
    child.unref();
    console.log(child.pid);
    const { existsSync } = require('node:fs');
    const timer = setInterval(() => { if (existsSync(process.env.FENTRY_DIR + '/' + child.pid + '.sock')) clearInterval(timer); }, 10);`,
  );
  const { code, stdout, stderr } = await finished(
    sandbox.spawnFentry('record', '-p', 'function', '--', process.execPath, program),
  );
  const pid = Number(stdout);
  t.after(() => process.kill(pid, 'SIGKILL'));
  assert.equal(code, 0, stderr);
  await until(async () => (await sandbox.client(pid).read('current_tracer')) === 'nop\n', 'it is no longer traced');
  assert.deepEqual(
    readdirSync(sandbox.folder).filter((name) => name.includes('.parts-')),
    [],
  );
});
