import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  checkSocketDirectory,
  makeSocketDirectory,
  pidOfSocket,
  processExists,
  socketDirectory,
  socketPath,
} from './socket-directory.js';

const uid = process.geteuid?.() ?? 0;

function temporaryFolder(t: { after(f: () => void): void }): string {
  const folder = mkdtempSync(join(tmpdir(), 'fentry-test-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

test('the folder is the one asked for, else the session’s, else one in /tmp', () => {
  assert.equal(socketDirectory({ FENTRY_DIR: '/x', XDG_RUNTIME_DIR: '/run/user/7' }, 7), '/x');
  assert.equal(socketDirectory({ XDG_RUNTIME_DIR: '/run/user/7' }, 7), '/run/user/7/fentry');
  assert.equal(socketDirectory({}, 7), '/tmp/fentry-7');
  assert.equal(socketDirectory({ FENTRY_DIR: '', XDG_RUNTIME_DIR: '' }, 7), '/tmp/fentry-7');
});

test('a socket is named after its process', () => {
  assert.equal(socketPath('/d', 42), '/d/42.sock');
  assert.equal(pidOfSocket('42.sock'), 42);
  for (const other of ['x.sock', '042.sock', '42.sock.old', '42']) assert.equal(pidOfSocket(other), undefined);
});

test('a folder made here is open to its owner alone', (t) => {
  const folder = join(temporaryFolder(t), 'a', 'b');
  makeSocketDirectory(folder, uid);
  assert.equal(statSync(folder).mode & 0o777, 0o700);
});

test('a folder that others can enter, that is someone else’s, or that is a link is refused', (t) => {
  const folder = temporaryFolder(t);
  const open = join(folder, 'open');
  mkdirSync(open);
  chmodSync(open, 0o750);
  assert.throws(() => checkSocketDirectory(open, uid), { errno: 'EACCES', message: /mode 0750: others could enter/ });
  chmodSync(open, 0o700);
  assert.throws(() => checkSocketDirectory(open, uid + 1), { errno: 'EACCES', message: /belongs to user/ });
  symlinkSync(open, join(folder, 'link'));
  assert.throws(() => checkSocketDirectory(join(folder, 'link'), uid), { errno: 'ENOTDIR' });
  assert.throws(() => makeSocketDirectory(join(folder, 'link'), uid), { errno: 'ENOTDIR' });
  assert.throws(() => checkSocketDirectory(join(folder, 'none'), uid), { errno: 'ENOENT' });
});

test('processes are known by their id', () => {
  assert.equal(processExists(process.pid), true);
  assert.equal(processExists(2 ** 22 + 1), false);
});
