import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeFolder } from './make-folder.js';

test('a folder is made with those around it, for its owner alone', (t) => {
  const top = mkdtempSync(join(tmpdir(), 'fentry-make-folder-'));
  t.after(() => rmSync(top, { recursive: true }));
  makeFolder(join(top, 'a', 'b', 'c'));
  makeFolder(join(top, 'a', 'b', 'c'));
  assert.equal(statSync(join(top, 'a', 'b', 'c')).mode & 0o777, 0o700);
  writeFileSync(join(top, 'file'), '');
  assert.throws(() => makeFolder(join(top, 'file', 'in')), { code: 'ENOTDIR' });
});

test('where nothing can be made it says so', () => {
  assert.throws(() => makeFolder('/proc/self/fentry/cache'), { code: 'ENOENT' });
});
