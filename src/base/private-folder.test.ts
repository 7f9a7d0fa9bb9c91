import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { isGuarded, privateFolder } from './private-folder.js';

const USER = { uid: 1000, gid: 1000 };
const OUTER: readonly (readonly [what: string, mode: number, uid: number, gid: number, user: typeof USER, isGuarded: boolean])[] =
  [
    ['the user’s own', 0o755, 1000, 1000, USER, true],
    ['root’s', 0o755, 0, 0, USER, true],
    ['another user’s', 0o755, 1001, 1000, USER, false],
    ['writable by the user’s own group', 0o775, 1000, 1000, USER, true],
    ['the same, where it is root’s', 0o775, 0, 1000, USER, false],
    ['writable by all, too', 0o777, 1000, 1000, USER, false],
    ['writable by another group', 0o775, 1000, 100, USER, false],
    ['writable by a group of several users', 0o775, 1000, 100, { uid: 1000, gid: 100 }, false],
    ['writable by root’s group', 0o775, 0, 0, { uid: 0, gid: 0 }, false],
    ['sticky', 0o1777, 0, 0, USER, true],
  ];

for (const [what, mode, uid, gid, user, expected] of OUTER) {
  test(`a folder around that is ${what} is ${expected ? '' : 'not '}guarded`, () => {
    assert.equal(isGuarded({ mode, uid, gid }, user, false), expected);
  });
}

test('the folder itself must not be written by any group, nor be sticky', () => {
  for (const mode of [0o775, 0o777, 0o1777]) assert.equal(isGuarded({ mode, uid: 1000, gid: 1000 }, USER, true), false);
});

test('a folder of this user in a folder that others may write is not private', (t) => {
  const outer = mkdtempSync(join(tmpdir(), 'fentry-private-'));
  t.after(() => rmSync(outer, { recursive: true }));
  const folder = join(outer, 'cache');
  mkdirSync(folder, { mode: 0o700 });
  assert.equal(privateFolder(folder, process.geteuid!()), folder);
  chmodSync(outer, 0o777);
  assert.equal(privateFolder(folder, process.geteuid!()), undefined);
});
