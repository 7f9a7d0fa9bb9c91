import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { CLI, Sandbox } from './support/program.js';

const canMount = spawnSync('unshare', ['-rm', 'true']).status === 0;
const skip = canMount ? false : 'no mount namespace may be made here, and so no small disk';

/** Calls something so often that it fills many megabytes. */
const LONG = `
function first() {}
function middle(n) { return n; }
function last() {}
first();
for (let i = 0; i < 250_000; i++) middle(i);
`;

/**
 * Fills the disk under the recording, as another process could, and goes on. What was recorded is in the folder by then: else the
 * disk could be full before there is a segment that can make room for the next.
 */
const FILLS = `${LONG}
const { appendFileSync, readdirSync, readFileSync } = require('node:fs');
const progress = 'disk/' + readdirSync('disk')[0] + '/' + process.pid + '.progress';
for (let told = 0; told < 250_000; ) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
  try {
    const { events, lost } = JSON.parse(readFileSync(progress, 'utf8'));
    told = events + lost;
  } catch {}
}
try { for (;;) appendFileSync('disk/filler', Buffer.alloc(65536)); } catch {}
try { for (;;) appendFileSync('disk/filler', Buffer.alloc(1)); } catch {}
for (let i = 0; i < 250_000; i++) middle(i);
last();
`;

/** Runs shell commands in a folder whose subfolder disk is a disk of 8 MiB. */
function withDisk(sandbox: Sandbox, commands: string): { stdout: string; stderr: string; status: number | null } {
  const disk = join(sandbox.folder, 'disk');
  mkdirSync(disk, { recursive: true });
  const script = `mount -t tmpfs -o size=8m none "$0" && node="$1" fentry="$2" && ${commands}`;
  return spawnSync('unshare', ['-rm', 'sh', '-c', script, disk, process.execPath, CLI], {
    cwd: sandbox.folder,
    env: sandbox.env(),
    encoding: 'utf8',
    timeout: 80_000,
  });
}

test('a recording leaves room on its disk for the file that is made of it', { skip }, (t) => {
  const sandbox = new Sandbox(t);
  sandbox.file('long.cjs', `${LONG} last();`);
  const { stdout, stderr, status } = withDisk(
    sandbox,
    '$node $fentry record -p function --max-size 0 -o disk/t.dat -- $node long.cjs && ls disk && $node $fentry report disk/t.dat | tail -n 1',
  );
  assert.equal(status, 0, stderr);
  assert.match(stderr, /recording into disk\/t\.dat, until the disk is nearly full; then the newest events are kept\n/);
  assert.match(stderr, /older ones are not: the disk was nearly full\n/);
  assert.match(stdout, /^t\.dat\n.*function: +last/);
});

test('if others fill the disk, the newest events that fit are kept', { skip }, (t) => {
  const sandbox = new Sandbox(t);
  sandbox.file('fills.cjs', FILLS);
  const { stdout, stderr, status } = withDisk(
    sandbox,
    '$node $fentry record -p function -o disk/t.dat -- $node fills.cjs && ls disk && $node $fentry report disk/t.dat | tail -n 1',
  );
  assert.equal(status, 0, stderr);
  assert.match(stderr, /older ones are not: the disk was nearly full\n/);
  assert.match(stdout, /^filler\nt\.dat\n.*function: +last/);
});

test('if the recording does not fit at the end, restore makes it elsewhere', { skip }, (t) => {
  const sandbox = new Sandbox(t);
  sandbox.file('long.cjs', `${LONG} last();`);
  const { stdout, stderr, status } = withDisk(
    sandbox,
    `{ $node $fentry record -p function -o disk/t.dat -- sh -c "$node long.cjs; dd if=/dev/zero of=disk/filler 2>/dev/null"
      echo "ends with $?"; ls disk | sed "s/parts-.*/parts/"
      $node $fentry restore -o t.dat disk/t.dat.parts-* && $node $fentry report t.dat | tail -n 1; }`,
  );
  assert.equal(status, 0, stderr);
  assert.match(stdout, /^ends with 1\nfiller\nt\.dat\.parts\n.*function: +last/, stderr);
  assert.match(stderr, /disk\/t\.dat: cannot be written: no space is left on the device; the recorded pages are kept/);
  assert.match(stderr, /the recorded parts are in disk\/t\.dat\.parts-\w+: fentry restore disk\/t\.dat\.parts-\w+\n/);
});
