import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { Sandbox } from '../e2e/support/program.js';
import { noBrowser, startBrowser, watchedPage } from '../page/browser.js';
import { readCpuProfile } from '../support/viewed-calls.js';

const PROGRAM = `
function outer(n) { let sum = 0; for (let i = 0; i < 5e6; i++) sum += i % n; return sum + inner(n); }
function inner(n) { return n < 2 ? n : inner(n - 1) + inner(n - 2); }
outer(15);
`;
const NAMES = ['outer', 'inner'];

/** `1,234.5 ms`, in milliseconds. */
const milliseconds = (cell = ''): number => Number(/^([\d,.]+)\sms/.exec(cell.trim())?.[1]?.replaceAll(',', ''));

/** Opens a file in the Performance panel of DevTools, at its tab Bottom-up. */
async function openInDevTools(browser: Browser, path: string): Promise<Page> {
  const { page } = await watchedPage(browser);
  await page.goto('devtools://devtools/bundled/devtools_app.html?panel=timeline');
  await page.getByRole('tab', { name: 'Performance' }).click();
  await page.locator('input[type=file]').first().setInputFiles(path);
  // A dialog about keys may lie over the tab, so that a click does not reach it.
  await page.getByRole('tab', { name: 'Bottom-up' }).dispatchEvent('mousedown');
  return page;
}

/** Checks the self time of a row whose text begins so. */
async function checkSelf(page: Page, text: RegExp, expected: number): Promise<void> {
  const row = page.locator('tr', { hasText: text });
  await row.first().waitFor();
  const [self] = await row.first().locator('td').allInnerTexts();
  assert.ok(Math.abs(milliseconds(self) - expected) < 0.1, `${text}: ${self}, ${expected} ms`);
}

/** Where DevTools has the arrow of the first process, and the titles of tracks, in a window of 1280 x 800. */
const ARROW = { x: 250, y: 129 } as const;
const TITLES = { x: 290, from: 138, to: 180, step: 7 } as const;

/** Tries of clicks, which DevTools may take for another one while it still draws. */
const MOST_TRIES = 5;

/** Selects the track of a thread: its process must be unfolded, and a dialog about keys goes with the first click. */
async function selectThread(page: Page): Promise<void> {
  const row = page.locator('tr', { hasText: 'inner' }).first();
  // On a busy machine DevTools may take longer: each try waits longer than the one before.
  const isShown = (tries: number): Promise<boolean> =>
    row.waitFor({ timeout: 2000 * (tries + 1) }).then(
      () => true,
      () => false,
    );
  await page.mouse.click(900, 500);
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    await page.mouse.click(ARROW.x, ARROW.y);
    for (let y: number = TITLES.from; y < TITLES.to; y += TITLES.step) {
      await page.mouse.click(TITLES.x, y);
      if (await isShown(tries)) return;
    }
  }
}

test("DevTools' Bottom-up has the self time of each function of a .cpuprofile, and of a thread of --chrome", {
  skip: noBrowser,
}, async (t) => {
  const sandbox = new Sandbox(t);
  const program = sandbox.file('program.mjs', PROGRAM);
  const record = await sandbox.fentry('record', '-p', 'function_graph', '-o', 't.dat', '--', process.execPath, program);
  assert.equal(record.code, 0, record.stderr);
  for (const [format, file] of [
    ['--cpuprofile', 't.cpuprofile'],
    ['--chrome', 't.json'],
  ] as const) {
    const dump = await sandbox.fentry('dump', format, '-i', 't.dat', '-o', file);
    assert.equal(dump.code, 0, dump.stderr);
  }
  const functions = readCpuProfile(readFileSync(join(sandbox.folder, 't.cpuprofile'), 'utf8'));
  const selfOf = (name: string, line: number): number => functions.get(`${name} program.mjs:${line}`)!.self / 1000;
  const browser = await startBrowser(t);
  const profile = await openInDevTools(browser, join(sandbox.folder, 't.cpuprofile'));
  for (const [i, name] of NAMES.entries()) {
    await checkSelf(profile, new RegExp(`${name}\\s*${program}:${i + 2}:1`), selfOf(name, i + 2));
  }
  const trace = await openInDevTools(browser, join(sandbox.folder, 't.json'));
  await selectThread(trace);
  for (const [i, name] of NAMES.entries()) await checkSelf(trace, new RegExp(name), selfOf(name, i + 2));
});
