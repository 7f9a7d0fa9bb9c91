import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PRELOAD, Sandbox } from '../e2e/support/program.js';

const O_NONBLOCK = 0o4000;
/**
 * Prints, without ever touching process.stdout, the flags of the pipe that is its stdout, once it has got its argument as a file.
 */
const PROGRAM = `
  const fs = require('node:fs');
  const socket = process.argv[2]?.replace('PID', process.pid);
  const waiting = setInterval(() => {
    if (socket !== undefined && !fs.existsSync(socket)) return;
    clearInterval(waiting);
    const flags = /^flags:\\s+(\\d+)/m.exec(fs.readFileSync('/proc/self/fdinfo/1', 'utf8'))[1];
    fs.writeSync(1, flags);
  }, 10);
`;

test('the program’s standard streams are not opened for it: its stdout stays a blocking pipe', async (t) => {
  const sandbox = new Sandbox(t);
  const program = sandbox.file('program.cjs', PROGRAM);
  for (const args of [[program], ['--import', PRELOAD, program, `${sandbox.sockets}/PID.sock`]]) {
    const { stdout } = await sandbox.run(args, { FENTRY: 'trace_buf_size=1M' });
    assert.match(stdout, /^0\d+$/);
    assert.equal(Number.parseInt(stdout, 8) & O_NONBLOCK, 0, `with ${args.join(' ')}`);
  }
});
