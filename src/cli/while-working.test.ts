import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { progressPath } from '../base/progress-file.js';
import { ProgressLine } from './record/progress-line.js';
import { whileWorking } from './while-working.js';

/** What a stream shows after each write. */
function stream({ isTTY = true, columns = 80 } = {}) {
  const written: string[] = [];
  const write = (text: string): boolean => written.push(text) > 0;
  return { written, isTTY, columns, write: write as NodeJS.WriteStream['write'] };
}

function working(t: TestContext, shown: ReturnType<typeof stream>) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const folder = mkdtempSync(join(tmpdir(), 'fentry-working-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const socket = join(folder, '7.sock');
  let resolve = (_value: number): void => {};
  let reject = (_error: Error): void => {};
  const promise = new Promise<number>((...both) => {
    [resolve, reject] = both;
  });
  const work = whileWorking(socket, 'setting up tracing in process 7', () => promise, new ProgressLine(shown));
  const says = (text: string): void => writeFileSync(progressPath(socket), `${text}\n`);
  return { work, resolve, reject, says };
}

test('a terminal shows after half a second what is being done, in one line that is gone at the end', async (t) => {
  const shown = stream();
  const { work, resolve, says } = working(t, shown);
  t.mock.timers.tick(499);
  assert.deepEqual(shown.written, []);
  t.mock.timers.tick(1);
  const own = 'fentry: setting up tracing in process 7';
  says('arming 12,400 of 31,000 functions of redis-server');
  t.mock.timers.tick(100);
  const told = 'fentry: arming 12,400 of 31,000 functions of redis-server';
  says('arming \u001b[2J');
  t.mock.timers.tick(100);
  const last = 'fentry: arming ^[[2J';
  resolve(7);
  assert.equal(await work, 7);
  const lines = [`\r${own}`, `\r${told}`, `\r${last.padEnd(told.length)}`, `\r${' '.repeat(last.length)}\r`];
  assert.deepEqual(shown.written, lines);
  t.mock.timers.tick(1000);
  assert.equal(shown.written.length, 4);
});

test('an error is passed on, and the line is gone', async (t) => {
  const shown = stream({ columns: 20 });
  const { work, reject } = working(t, shown);
  t.mock.timers.tick(500);
  reject(new Error('no'));
  await assert.rejects(work, /^Error: no$/);
  assert.deepEqual(shown.written, ['\rfentry: setting up ', `\r${' '.repeat(19)}\r`]);
});

test('where there is no terminal nothing is shown', async (t) => {
  const shown = stream({ isTTY: false });
  const { work, resolve } = working(t, shown);
  t.mock.timers.tick(2000);
  resolve(1);
  await work;
  await nextTurn();
  assert.deepEqual(shown.written, []);
});
