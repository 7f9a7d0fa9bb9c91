import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LISTENING, PRELOAD, Sandbox } from './support/program.js';

/** Never turns to its events; it ends when its socket is there, or after half a minute. */
const PROGRAM = `
  const { existsSync } = require('node:fs');
  const socket = process.env.FENTRY_DIR + '/' + process.pid + '.sock';
  const end = Date.now() + 30_000;
  const isThere = () => existsSync(socket);
  while (!isThere() && Date.now() < end);
  console.log(isThere());
`;

test('a program that is busy from its start has a socket if FENTRY is set', async (t) => {
  const sandbox = new Sandbox(t);
  const { stdout } = await sandbox.run(['--import', PRELOAD, sandbox.file('program.cjs', PROGRAM)], LISTENING);
  assert.equal(stdout, 'true\n');
});

test('a program that ends before its events come ends at once, and leaves no socket', async (t) => {
  const sandbox = new Sandbox(t);
  const program = sandbox.file('program.cjs', 'const f = () => 1; f(); process.on("exit", () => console.log(process.exitCode));');
  for (let i = 0; i < 3; i++) {
    const { code, stdout } = await sandbox.run(['--import', PRELOAD, program]);
    assert.deepEqual([code, stdout], [0, 'undefined\n']);
  }
  assert.deepEqual((await sandbox.run(['-e', `console.log(require('fs').readdirSync('${sandbox.sockets}'))`])).stdout, '[]\n');
});
