import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { kernelProcess } from '../../../test/parity/kernel-process.js';
import type { Attachment } from '../tracefs/attached-file.js';
import { createTracefs } from './tracefs.js';

const attachment = { isAttached: true, detach: async () => {}, onUnreached() {} } as unknown as Attachment;

test('docs/files.md describes every file of the tree', () => {
  const page = readFileSync('docs/files.md', 'utf8');
  const names = [...createTracefs(kernelProcess(), attachment).names()];
  const missing = names.filter((name) => !new RegExp(`[\` ]${name}[\`/]`).test(page));
  assert.deepEqual(missing, []);
});

test('the tree is listed by name', () => {
  const names = [...createTracefs(kernelProcess()).names()];
  assert.deepEqual(names, [...names].sort());
});
