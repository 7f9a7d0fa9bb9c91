import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { Sandbox, until } from './support/program.js';

const skip = existsSync('/proc/thread-self/syscall') ? false : 'this system does not show how deep a stack is';

const DEEP = `
const { Worker, isMainThread, parentPort } = require('node:worker_threads');
function down(n) { return n === 0 ? bottom() : down(n - 1) + 1 }
function bottom() { return 0 }
function shallow() { return 1 }
async function wakes() { await null; return [1].map(function mapped() { return down(50) }) }
const turn = async (depth) => { shallow(); down(depth); await wakes(); process.stdout.write('.') };
if (isMainThread) {
  const worker = new Worker(__filename);
  process.stdin.on('data', (text) => text.toString().startsWith('w') ? worker.postMessage(+text.toString().slice(1)) : turn(+text.toString()));
} else parentPort.on('message', turn);
`;

interface Row {
  readonly depth: number;
  readonly size: number;
  readonly location: string;
}

const rowsOf = (text: string): Row[] =>
  [...text.matchAll(/^ *\d+\) +(\d+) +(-?\d+) {3}(\S+)/gm)].map(([, depth, size, location]) => ({
    depth: Number(depth),
    size: Number(size),
    location: location!.replace(/\+.*/, ''),
  }));

test('the deepest stack of all threads is kept, with what each frame takes', { skip }, async (t) => {
  const sandbox = new Sandbox(t);
  const program = await sandbox.start(DEEP);
  let turns = '';
  program.stdout?.on('data', (chunk) => {
    turns += chunk;
  });
  const run = async (text: string): Promise<void> => {
    const before = turns.length;
    program.stdin?.write(text);
    await until(() => turns.length > before, 'the turn is over');
  };
  const read = async (file: string): Promise<string> => sandbox.read(file);
  const write = async (file: string, text: string): Promise<void> => {
    assert.equal((await sandbox.fentry('write', file, text)).code, 0);
  };

  await write('stack_tracer_enabled', '1');
  assert.match(await read('enabled_functions'), /^down \(1\).*stack_trace_call/m);
  await run('100');
  const rows = rowsOf(await read('stack_trace'));
  assert.deepEqual(
    rows.slice(0, 103).map(({ location }) => location),
    ['bottom', ...Array(101).fill('down'), 'turn'],
  );
  assert.equal(rows[0]!.depth, Number(await read('stack_max_size')));
  assert.equal(
    rows[0]!.depth,
    rows.reduce((sum, { size }) => sum + size, 0),
    'the sizes are all of the stack',
  );
  const frames = rows.slice(5, 100).map(({ size }) => size);
  assert.ok(Math.min(...frames) > 32 && Math.max(...frames) < 1000, `frames of ${Math.min(...frames)} to ${Math.max(...frames)}`);

  await run('10');
  assert.equal(rowsOf(await read('stack_trace')).length, rows.length, 'a smaller stack changes nothing');
  await run('w300');
  const inWorker = rowsOf(await read('stack_trace'));
  assert.equal(inWorker.filter(({ location }) => location === 'down').length, 301);

  await write('stack_trace_filter', 'mapped');
  await write('stack_max_size', '0');
  await run('300');
  const filtered = rowsOf(await read('stack_trace'));
  assert.deepEqual(
    filtered.slice(0, 3).map(({ location }) => location),
    ['mapped', 'map', 'wakes'],
  );
  assert.equal(filtered[1]!.size, 0, 'what is not measured counts as the function that it called');

  await write('stack_tracer_enabled', '0');
  assert.equal(await read('enabled_functions'), '');
  assert.equal(await read('stack_trace_filter'), 'mapped\n');
});

test('a stack that overflows is measured, and overflows as it would have', { skip }, async (t) => {
  const sandbox = new Sandbox(t);
  const program = await sandbox.start(`
    function endless(n) { return endless(n + 1) + 1 }
    process.stdin.once('data', () => { try { endless(0) } catch (error) { process.stdout.write(error.constructor.name) } });
  `);
  await sandbox.fentry('write', 'stack_tracer_enabled', '1');
  let printed = '';
  program.stdout?.on('data', (chunk) => {
    printed += chunk;
  });
  program.stdin?.write('go');
  await until(() => printed !== '', 'it has overflowed');
  assert.equal(printed, 'RangeError');
  const size = Number(await sandbox.read('stack_max_size'));
  assert.ok(size > 500_000 && size < 1_100_000, `${size} bytes of V8’s 984 KiB`);
  assert.equal(rowsOf(await sandbox.read('stack_trace')).length, 500);
});
