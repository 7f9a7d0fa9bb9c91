import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Sandbox, until } from '../e2e/support/program.js';
import { startPlain } from './plain-program.js';

const PROGRAM = `
let late;
require('node:readline').createInterface({ input: process.stdin }).on('line', () => {
  late ??= require('./late.cjs');
  console.log(late.work(1) + ' after ' + late.calls());
});
console.log('ready');
`;
const LATE = `let calls = 0;
function work(n) { calls++; return n + 1; }
exports.work = work;
exports.calls = () => calls;
`;
const FIX = `exports.klpSymbols = { calls: 'calls' };
exports.work = (n) => { exports.klpSymbols.calls += 10; return n + 100; };
`;

test('detach undoes a live patch that has reached private variables, and what it has written stays', async (t) => {
  const sandbox = new Sandbox(t);
  sandbox.file('late.cjs', LATE);
  const fix = sandbox.file('fix.cjs', FIX);
  const { child, pid } = await startPlain(sandbox, PROGRAM);
  const call = (): Promise<string> =>
    new Promise((resolve) => {
      child.stdout!.once('data', (chunk) => resolve(String(chunk).trimEnd()));
      child.stdin!.write('\n');
    });
  const attached = await sandbox.fentry('attach', '--timeout', '80', String(pid));
  assert.equal(attached.code, 0, attached.stderr);
  assert.equal(await call(), '2 after 1');
  const loaded = async (): Promise<boolean> => (await sandbox.read('available_filter_functions')).includes('work');
  await until(loaded, 'it is listed');
  const patched = await sandbox.fentry('write', 'livepatch/load', `fix ${fix}`);
  assert.equal(patched.code, 0, patched.stderr);
  assert.equal(await call(), '101 after 11');
  const detached = await sandbox.fentry('detach', String(pid));
  assert.equal(detached.code, 0, detached.stderr);
  assert.equal(await call(), '2 after 12');
  assert.equal(child.exitCode, null);
});
