import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Sandbox, until } from './support/program.js';

/** Calls a function of its own, and says when it is loaded. */
const service = (name: string): string => `function ${name}() {}\nsetInterval(${name}, 2);\n`;

test('several running processes are recorded into one recording, each under its name and with its own functions', async (t) => {
  const sandbox = new Sandbox(t);
  const orders = await sandbox.start(service('takeOrder'), {}, 'orders.cjs');
  const stock = await sandbox.start(service('countStock'), {}, 'stock.cjs');
  const other = await sandbox.start(service('elsewhere'), {}, 'other.cjs');
  const wait = ['-o', 'both.dat', process.execPath, '-e', 'setTimeout(() => {}, 300)'];
  const pids = ['--pid', String(orders.pid), '--pid', String(stock.pid)];
  const { code, stderr } = await sandbox.fentry('record', '-p', 'function', ...pids, ...wait);
  assert.equal(code, 0, stderr);
  assert.match(stderr, new RegExp(`^fentry: of 2 processes: .*\\b${orders.pid} \\(orders\\.cjs\\) [\\d,]+ events, 0 lost`, 'm'));
  assert.match(stderr, new RegExp(`^fentry: of 2 processes: .*\\b${stock.pid} \\(stock\\.cjs\\) [\\d,]+ events, 0 lost`, 'm'));

  const { stdout } = await sandbox.fentry('report', 'both.dat');
  assert.match(stdout, new RegExp(` orders\\.cjs-${orders.pid} .* takeOrder$`, 'm'));
  assert.match(stdout, new RegExp(` stock\\.cjs-${stock.pid} .* countStock$`, 'm'));
  assert.doesNotMatch(stdout, new RegExp(`-${orders.pid} .*countStock|-${stock.pid} .*takeOrder|elsewhere`));
  for (const { pid } of [orders, stock]) assert.equal(await sandbox.client(pid).read('current_tracer'), 'nop\n');

  const all = await sandbox.fentry(
    'record',
    '--all',
    '-p',
    'function',
    '-o',
    'all.dat',
    process.execPath,
    '-e',
    'setTimeout(() => {}, 300)',
  );
  assert.equal(all.code, 0, all.stderr);
  const chrome = (await sandbox.fentry('report', 'all.dat')).stdout;
  for (const name of ['orders', 'stock', 'other']) assert.match(chrome, new RegExp(` ${name}\\.cjs-`));

  other.kill('SIGKILL');
  await until(() => other.signalCode !== null, 'it is gone');
  const without = await sandbox.fentry('record', '--pid', String(other.pid), '--pid', String(stock.pid), 'true');
  assert.match(without.stderr, /there is no process/);
  assert.match((await sandbox.fentry('record', '--all', '--pid', String(stock.pid))).stderr, /leave out --pid/);
});

test('one of several that ends meanwhile takes nothing from the others', async (t) => {
  const sandbox = new Sandbox(t);
  // The first by its pid, and so the first that is set up.
  const ends = await sandbox.start(
    `${service('takeOrder')}process.stdin.on('end', () => process.exit()).resume();`,
    {},
    'ends.cjs',
  );
  const stays = await sandbox.start(service('countStock'), {}, 'stays.cjs');
  const record = sandbox.spawnFentry('record', '--all', '-p', 'function', process.execPath, '-e', 'process.stdin.resume()');
  let stderr = '';
  record.stderr!.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  await until(async () => (await sandbox.client(stays.pid).read('current_tracer')) === 'function\n', 'both are traced');
  ends.stdin!.end();
  await until(() => ends.exitCode !== null, 'it has ended');
  await new Promise((resolve) => setTimeout(resolve, 200));
  record.stdin!.end();
  await until(() => record.exitCode !== null, 'the recording has ended');
  assert.match(stderr, /\(ends\.cjs\): the process has ended$/m);
  const { stdout } = await sandbox.fentry('report');
  assert.match(stdout, / stays\.cjs-\d+ .* countStock$/m);
});

test('a command of several processes is recorded with the name of each, and told which recorded how much', async (t) => {
  const sandbox = new Sandbox(t);
  sandbox.file('child.cjs', 'function inChild() {}\ninChild();');
  const parent = sandbox.file(
    'parent.cjs',
    'function inParent() {}\ninParent(); require("child_process").execFileSync(process.execPath, ["child.cjs"]);',
  );
  const { code, stderr } = await sandbox.fentry('record', '-p', 'function', '-l', 'in*', process.execPath, parent);
  assert.equal(code, 0, stderr);
  assert.match(
    stderr,
    /^fentry: of 2 processes: \d+ \((parent|child)\.cjs\) 1 events, 0 lost; \d+ \((parent|child)\.cjs\) 1 events, 0 lost$/m,
  );
  const { stdout } = await sandbox.fentry('report');
  assert.match(stdout, / parent\.cjs-\d+ .* inParent$/m);
  assert.match(stdout, / child\.cjs-\d+ .* inChild$/m);
});
