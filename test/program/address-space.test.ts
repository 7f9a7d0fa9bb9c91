import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { REQUIRED } from '../support/program.js';

/** KiB: enough for Node alone, not for another thread of V8. */
const LIMIT = 1_300_000;
const run = (...flags: string[]) =>
  spawnSync('sh', ['-c', `ulimit -v ${LIMIT} && exec "$0" "$@"`, process.execPath, ...flags, '-p', '40 + 2'], {
    encoding: 'utf8',
    env: { ...process.env, FENTRY: 'ftrace=function' },
  });

test('a program whose address space has no room for a thread runs untraced, with a word', (t) => {
  if (run().stdout !== '42\n') return t.skip('Node does not start with this limit of its address space');
  const { status, stdout, stderr } = run('--require', REQUIRED);
  assert.deepEqual([status, stdout], [0, '42\n'], stderr);
  assert.match(stderr, /^fentry: nothing is traced: the limit of the address space \(ulimit -v\) leaves \d+ MiB, /m);
});
