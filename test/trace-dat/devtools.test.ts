import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
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

test("DevTools' Bottom-up has the self time of each function of a .cpuprofile", { skip: noBrowser }, async (t) => {
  const sandbox = new Sandbox(t);
  const program = sandbox.file('program.mjs', PROGRAM);
  const record = await sandbox.fentry('record', '-p', 'function_graph', '-o', 't.dat', '--', process.execPath, program);
  assert.equal(record.code, 0, record.stderr);
  const dump = await sandbox.fentry('dump', '--cpuprofile', '-i', 't.dat', '-o', 't.cpuprofile');
  assert.equal(dump.code, 0, dump.stderr);
  const path = join(sandbox.folder, 't.cpuprofile');
  const functions = readCpuProfile(readFileSync(path, 'utf8'));
  const { page } = await watchedPage(await startBrowser(t));
  await page.goto('devtools://devtools/bundled/devtools_app.html?panel=timeline');
  await page.getByRole('tab', { name: 'Performance' }).click();
  await page.locator('input[type=file]').first().setInputFiles(path);
  // A dialog about keys may lie over the tab, so that a click does not reach it.
  await page.getByRole('tab', { name: 'Bottom-up' }).dispatchEvent('mousedown');
  for (const [i, name] of NAMES.entries()) {
    const row = page.locator('tr', { hasText: `${name}${program}:${i + 2}:1` });
    await row.waitFor();
    const [self] = await row.locator('td').allInnerTexts();
    const expected = functions.get(`${name} program.mjs:${i + 2}`)!.self / 1000;
    assert.ok(Math.abs(milliseconds(self) - expected) < 0.1, `${name}: ${self}, ${expected} ms`);
  }
});
