import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { pause } from './pause.js';
import { ProgressFile, progressPath, readProgress } from './progress-file.js';

function place(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'fentry-progress-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return join(folder, '4711.sock');
}

test('work that takes a moment is not told, longer work is, and its end removes the file', async (t) => {
  const socket = place(t);
  const file = new ProgressFile(progressPath(socket));
  file.tell(() => 'arming 1 of 3 functions');
  assert.equal(readProgress(socket), undefined);
  pause(250);
  file.tell(() => 'arming 2 of 3 functions');
  assert.equal(readProgress(socket), 'arming 2 of 3 functions');
  file.tell(() => assert.fail('asked for words that nobody sees'));
  while (existsSync(progressPath(socket))) await sleep(20);
  file.tell(() => assert.fail('other work has just begun'));
  file.end();
});

test('what takes long in one step is told before', (t) => {
  const socket = place(t);
  const file = new ProgressFile(progressPath(socket));
  file.tellNow(() => 'finding the functions of libc.so.6');
  assert.equal(readProgress(socket), 'finding the functions of libc.so.6');
  file.end();
  assert.equal(readProgress(socket), undefined);
});

test('what a killed process has left is removed, and half a line is nothing', (t) => {
  const socket = place(t);
  writeFileSync(progressPath(socket), 'arming');
  assert.equal(readProgress(socket), undefined);
  writeFileSync(progressPath(socket), 'arming\n');
  new ProgressFile(progressPath(socket));
  assert.equal(readProgress(socket), undefined);
});

test('work goes on where the file cannot be written', (t) => {
  const file = new ProgressFile(join(place(t), 'no-folder', '1.progress'));
  file.tellNow(() => 'finding functions');
  file.end();
});
