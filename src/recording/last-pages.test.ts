import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { askForLastPages, LastPages } from './last-pages.js';

/** No process can have it. */
const ENDED = 2 ** 22 + 1;

const folderFor = (t: TestContext): string => {
  const folder = mkdtempSync(join(tmpdir(), 'fentry-last-pages-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
};

test('a process that records is asked, and answers', (t) => {
  const folder = folderFor(t);
  const pages = new LastPages(folder, ENDED);
  assert.equal(pages.areAsked, false);
  askForLastPages(folder, ENDED, 'SIGTERM');
  assert.equal(pages.areAsked, true);
  pages.answer();
  assert.equal(pages.areAsked, false);
  askForLastPages(folder, -ENDED, 15);
  assert.equal(pages.areAsked, true, 'with its group');
  pages.end();
  assert.deepEqual(readdirSync(folder), []);
});

test('a process is not asked before a signal that does not end it, nor if it does not record', (t) => {
  const folder = folderFor(t);
  const pages = new LastPages(folder, ENDED);
  for (const signal of [0, 'SIGUSR1', 'SIGCONT', undefined, 'nonsense']) askForLastPages(folder, ENDED, signal);
  askForLastPages(folder, process.pid, 'SIGTERM');
  assert.equal(pages.areAsked, false);
});
