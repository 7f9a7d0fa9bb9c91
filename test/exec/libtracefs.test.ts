import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { cannotExec } from '../mount/mountable.js';
import { execTarget, SERVER } from './exec-target.js';

const flags = spawnSync('pkg-config', ['--cflags', '--libs', 'libtracefs'], { encoding: 'utf8' });
const skip =
  cannotExec('cc') || (flags.status !== 0 && 'libtracefs is not installed (apt-get install pkg-config libtracefs-dev)');

// Its output on Linux 6.1, under a shell that runs commands, is libtracefs.txt.
test('libtracefs’s functions for events do what they do in the kernel’s tracefs', { skip }, async (t) => {
  const { sandbox, exec } = await execTarget(t, SERVER);
  const program = join(sandbox.folder, 'libtracefs');
  execFileSync('cc', ['-o', program, resolve('test/exec/libtracefs.c'), ...flags.stdout.trim().split(' ')]);
  const { code, stdout, stderr } = await exec(program);
  assert.equal(stdout, readFileSync('test/exec/libtracefs.txt', 'utf8'));
  assert.equal(stderr, '');
  assert.equal(code, 0);
});
