import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';

test('each question of docs/script-questions.md is answered by both of its scripts', () => {
  const { stdout, stderr, status } = spawnSync(process.execPath, ['scripts/script-questions.mjs', '--check'], {
    encoding: 'utf8',
  });
  assert.equal(status, 0, stdout + stderr);
  assert.match(stdout, /^30 of 30 scripts answer what their question promises$/m);
});
