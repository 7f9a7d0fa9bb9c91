import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileGlob } from './glob.js';

const cases: [pattern: string, matching: string[], other: string[]][] = [
  ['vfs_read', ['vfs_read'], ['vfs_readv', 'xvfs_read']],
  ['vfs_*', ['vfs_', 'vfs_read'], ['xvfs_read']],
  ['*_read', ['_read', 'vfs_read'], ['vfs_readv']],
  ['*fs_r*', ['fs_r', 'vfs_read'], ['vfs_write']],
  ['*', ['', 'anything'], []],
  ['v*_*d', ['vfs_read', 'v_d'], ['vfs_write', 'avfs_read']],
  ['vfs_re?d', ['vfs_read'], ['vfs_red', 'vfs_readd']],
  ['vfs_[rw]*', ['vfs_read', 'vfs_write'], ['vfs_open']],
  ['[a-c]x', ['ax', 'cx'], ['dx', 'x']],
  ['[!a-c]x', ['dx'], ['ax']],
  ['[]]x', [']x'], ['x']],
  ['a\\*b', ['a*b'], ['axb']],
  ['a[b', ['a[b'], ['ab']],
  ['*a*a*a*b', ['aaab'], ['aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaac']],
];

test('patterns match whole names as the kernel matches them', () => {
  for (const [pattern, matching, other] of cases) {
    const match = compileGlob(pattern);
    for (const name of matching) assert.ok(match(name), `${pattern} should match ${name}`);
    for (const name of other) assert.ok(!match(name), `${pattern} should not match ${name}`);
  }
});
