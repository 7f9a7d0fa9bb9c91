import assert from 'node:assert/strict';
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Finished, Sandbox } from './support/program.js';

/** Calls first, then others so often that they fill many megabytes, then last. */
const LONG = `
function first() {}
function middle(n) { return n; }
function last() {}
first();
for (let i = 0; i < 250_000; i++) middle(i);
last();
`;
const MIB = 2 ** 20;
const SMALL = ['--max-size', '2M'] as const;

async function recorded(sandbox: Sandbox, ...options: readonly string[]): Promise<Finished & { readonly report: string }> {
  const program = sandbox.file('long.cjs', LONG);
  const ended = await sandbox.fentry('record', ...options, '--', process.execPath, program);
  assert.equal(ended.code, 0, ended.stderr);
  return { ...ended, report: (await sandbox.fentry('report')).stdout };
}

const numberIn = (text: string, pattern: RegExp): number => Number(pattern.exec(text)?.[1]?.replaceAll(',', ''));

for (const [options, said] of [
  [SMALL, /^fentry: recording into trace\.dat, at most 2\.0 MB: the newest events are kept\n/],
  [['-m', '2048'], /^fentry: recording into trace\.dat, at most 2\.0 MB of each thread: the newest events are kept\n/],
] as const) {
  test(`${options[0]} keeps the newest events, and says so beforehand and at the end`, async (t) => {
    const sandbox = new Sandbox(t);
    const { stderr, report } = await recorded(sandbox, '-p', 'function', ...options);
    assert.match(stderr, said);
    const size = statSync(join(sandbox.folder, 'trace.dat')).size;
    assert.ok(size > MIB && size < 2.5 * MIB, `${size} bytes`);
    assert.match(report, /function: +last/);
    assert.doesNotMatch(report, /function: +first/);
    const all = numberIn(stderr, /^fentry: ([\d,]+) events, /m);
    const kept = numberIn(stderr, /^fentry: the newest ([\d,]+) events are kept, [\d,]+ older ones are not: /m);
    const older = numberIn(stderr, / events are kept, ([\d,]+) older ones/);
    assert.equal(kept + older, all);
    assert.equal(report.match(/function:/g)?.length, kept);
  });
}

test('a recording within its limit has everything', async (t) => {
  const { stderr, report } = await recorded(new Sandbox(t), '-p', 'function');
  assert.match(stderr, /^fentry: recording into trace\.dat, at most 1\.0 GB: the newest events are kept\n/);
  assert.doesNotMatch(stderr, /older ones/);
  assert.match(report, /function: +first/);
});

test('of several processes the newest events of all are kept', async (t) => {
  const sandbox = new Sandbox(t);
  const child = sandbox.file('child.cjs', `${LONG} function fromChild() {} fromChild();`);
  const program = sandbox.file(
    'parent.cjs',
    `const { execFileSync } = require('node:child_process');
    function begin() {} begin();
    for (let i = 0; i < 3; i++) execFileSync(process.execPath, [${JSON.stringify(child)}]);
    function end() {} end();`,
  );
  const { code, stderr } = await sandbox.fentry('record', '-p', 'function', ...SMALL, '--', process.execPath, program);
  assert.equal(code, 0, stderr);
  assert.ok(statSync(join(sandbox.folder, 'trace.dat')).size < 3 * MIB);
  const { stdout } = await sandbox.fentry('report');
  assert.match(stdout, /function: +end/);
  assert.equal(stdout.match(/function: +fromChild/g)?.length, 1, 'the last child');
});

test('--own records the application’s package alone, --min-duration what took long', async (t) => {
  const sandbox = new Sandbox(t);
  const program = sandbox.file(
    'app.cjs',
    `function wait() { Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 30); }
    function quick() {}
    quick(); wait(); require('other').other();`,
  );
  mkdirSync(join(sandbox.folder, 'node_modules/other'), { recursive: true });
  sandbox.file('node_modules/other/index.js', 'exports.other = function other() {};');
  sandbox.file('node_modules/other/package.json', '{"name":"other"}');
  const functions = async (...options: readonly string[]): Promise<string> => {
    const { code, stderr } = await sandbox.fentry('record', ...options, '--', process.execPath, program);
    assert.equal(code, 0, stderr);
    const { stdout } = await sandbox.fentry('report', '-O', 'tailprint');
    return ['quick', 'wait', 'other'].filter((name) => new RegExp(`\\b${name}\\b`).test(stdout)).join();
  };
  assert.equal(await functions('-p', 'function'), 'quick,wait,other');
  assert.equal(await functions('-p', 'function', '--own'), 'quick,wait');
  assert.equal(await functions('--own', '-l', 'qu*'), 'quick');
  assert.equal(await functions('--own', '--min-duration', '20ms'), 'wait');
});

test('limits that make no sense are answered with what would', async (t) => {
  const sandbox = new Sandbox(t);
  for (const [options, message] of [
    [['--max-size', 'much'], /--max-size must be a size like 200M or 4G, not 'much'/],
    [['-m', '0'], /-m must be a whole number of KiB, not '0'/],
    [['--min-duration', '5h'], /--min-duration must be a time like 100us or 5ms, not '5h'/],
    [['-p', 'function', '--min-duration', '5ms'], /only function_graph knows how long a call takes, not function/],
    [['--own', '-l', ':mod:express'], /--own selects the application's package: '-l :mod:express' names another one/],
  ] as const) {
    const { code, stderr } = await sandbox.fentry('record', ...options, 'true');
    assert.equal(code, 2, stderr);
    assert.match(stderr, message);
  }
});
