import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { readTapsets } from './read-tapsets.js';

test('a folder of tapsets may have what is no file: a named pipe, a folder, a link that leads nowhere', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tapsets-'));
  t.after(() => rmSync(folder, { recursive: true }));
  execFileSync('mkfifo', [join(folder, 'pipe.stp')]);
  symlinkSync('/nowhere', join(folder, 'dangling.stp'));
  symlinkSync('.', join(folder, 'folder.stp'));
  const path = join(folder, 'one.stp');
  writeFileSync(path, 'function one() { return 1 }');
  const read = readTapsets(folder, { arch: 'x86_64', kernelVersion: '6.1.0' });
  assert.deepEqual(read, [{ path, text: 'function one() { return 1 }' }]);
});
