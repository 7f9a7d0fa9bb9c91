import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileGlob, type GlobKind, isPlain } from './glob.js';

const CASES: readonly [pattern: string, kind: GlobKind, matching: string[], other: string[]][] = [
  ['vfs_read', 'full', ['vfs_read'], ['vfs_readv', 'xvfs_read']],
  ['vfs_*', 'front', ['vfs_', 'vfs_read'], ['xvfs_read']],
  ['*_read', 'end', ['_read', 'vfs_read'], ['vfs_readv']],
  ['*fs_r*', 'middle', ['fs_r', 'vfs_read'], ['vfs_write']],
  ['*', 'end', ['', 'anything'], []],
  ['**', 'middle', ['', 'anything'], []],
  ['v*_*d', 'glob', ['vfs_read', 'v_d'], ['vfs_write', 'avfs_read']],
  ['vfs_re?d', 'glob', ['vfs_read'], ['vfs_red', 'vfs_readd']],
  ['vfs_[rw]*', 'glob', ['vfs_read', 'vfs_write'], ['vfs_open']],
  ['[a-c]x', 'glob', ['ax', 'cx'], ['dx', 'x']],
  ['[c-a]x', 'glob', [], ['ax', 'bx', 'cx']],
  ['[!a-c]x', 'glob', ['dx'], ['ax']],
  ['[^a]x', 'glob', ['^x', 'ax'], ['bx']],
  ['[]]x', 'glob', [']x'], ['x']],
  ['[a-]x', 'glob', ['ax', '-x'], ['bx']],
  ['[]-a]x', 'glob', [']x', '^x', 'ax'], ['bx']],
  ['a\\*b', 'glob', ['a*b'], ['axb']],
  ['ab\\', 'glob', ['ab'], ['ab\\', 'a']],
  ['a[b', 'glob', ['a[b'], ['ab']],
  ['a[b-', 'glob', ['a[b-'], ['ab']],
  ['a.c?', 'glob', ['a.cd'], ['abcd']],
  ['*a*a*a*b', 'glob', ['aaab'], ['aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaac']],
];

test('patterns match whole names as the kernel matches them', () => {
  for (const [pattern, kind, matching, other] of CASES) {
    const glob = compileGlob(pattern);
    assert.equal(glob.kind, kind, pattern);
    for (const name of matching) assert.ok(glob.test(name), `${pattern} should match ${name}`);
    for (const name of other) assert.ok(!glob.test(name), `${pattern} should not match ${name}`);
  }
});

test('only a text without special characters is plain', () => {
  assert.ok(isPlain('Object.<anonymous>'));
  for (const pattern of ['a*', '*', 'a?', '[a]', 'a\\b']) assert.ok(!isPlain(pattern), pattern);
});
