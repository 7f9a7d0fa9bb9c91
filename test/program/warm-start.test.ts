import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { PRELOAD, Sandbox } from '../e2e/support/program.js';

/** Prints which of fentry's own files were required, when it has loaded a module with functions and some without. */
const PROGRAM = `
  require('./functions.cjs');
  require('./none.cjs');
  require('./list.cjs');
  const own = Object.keys(require.cache).map((file) => require('node:path').basename(file));
  console.log(own.filter((name) => !name.startsWith('program') && name !== 'preload.cjs').sort().join(' '));
`;
const MODULES = {
  'functions.cjs': 'exports.area = (w, h) => w * h;',
  'none.cjs': 'exports.colours = { red: 1 };',
  'list.cjs': 'module.exports = [1, 2, 3];',
};

const setUp = (sandbox: Sandbox): string => {
  for (const [name, text] of Object.entries(MODULES)) sandbox.file(name, text);
  return sandbox.file('program.cjs', PROGRAM);
};

test('a text that was read once is not parsed again, whether it has functions or not', async (t) => {
  const sandbox = new Sandbox(t, { hasOwnCache: true });
  const args = ['--import', PRELOAD, setUp(sandbox)];
  assert.equal((await sandbox.run(args)).stdout, 'functions.cjs instrument.cjs list.cjs none.cjs\n');
  assert.equal((await sandbox.run(args)).stdout, 'functions.cjs list.cjs none.cjs\n');
});

test('a FIFO in the place of a cache entry does not hold the start', async (t) => {
  const sandbox = new Sandbox(t, { hasOwnCache: true });
  const args = ['--import', PRELOAD, setUp(sandbox)];
  await sandbox.run(args);
  const [build = ''] = readdirSync(sandbox.cache);
  for (const name of readdirSync(join(sandbox.cache, build))) {
    const entry = join(sandbox.cache, build, name);
    rmSync(entry);
    execFileSync('mkfifo', [entry]);
  }
  const { code, stdout } = await sandbox.run(args);
  assert.deepEqual([code, stdout], [0, 'functions.cjs instrument.cjs list.cjs none.cjs\n']);
});
