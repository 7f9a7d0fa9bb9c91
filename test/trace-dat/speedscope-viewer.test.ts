import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { Sandbox } from '../e2e/support/program.js';
import { noBrowser, startBrowser, watchedPage } from '../page/browser.js';
import { installedPackage } from '../support/installed-package.js';

const PROGRAM = `
import { Worker, isMainThread } from 'node:worker_threads';
function outer(n) { return inner(n) + inner(n); }
function inner(n) { return n < 2 ? n : inner(n - 1) + inner(n - 2); }
outer(8);
if (isMainThread) new Worker(new URL(import.meta.url));
`;
/** What the browser says of a machine without a graphics card. */
const OF_GRAPHICS = /GL Driver Message|WebGL/;

const speedscope = noBrowser === false ? installedPackage('speedscope', '1.25.0') : undefined;
const skip = noBrowser || (speedscope === undefined ? 'the npm registry does not give speedscope' : false);

test('speedscope opens a recording without a warning, with a profile for each thread', { skip }, async (t) => {
  const sandbox = new Sandbox(t);
  const program = sandbox.file('program.mjs', PROGRAM);
  const record = await sandbox.fentry('record', '-p', 'function_graph', '-o', 't.dat', '--', process.execPath, program);
  assert.equal(record.code, 0, record.stderr);
  const dump = await sandbox.fentry('dump', '--speedscope', '-i', 't.dat', '-o', 't.json');
  assert.equal(dump.code, 0, dump.stderr);
  const profile = readFileSync(join(sandbox.folder, 't.json'));
  // Speedscope's own command hands a file over like that.
  const script = sandbox.file('t.js', `speedscope.loadFileFromBase64('t.json', '${profile.toString('base64')}')`);
  const { page, complaints } = await watchedPage(await startBrowser(t));
  await page.goto(`${pathToFileURL(join(speedscope!, 'dist/release/index.html')).href}#localProfilePath=${script}`);
  await page.waitForFunction("document.title.startsWith('program.mjs')");
  await page.keyboard.press('3');
  await page.waitForSelector('text=Symbol Name');
  const table = (await page.textContent('body')) ?? '';
  for (const name of ['outer', 'inner']) assert.ok(table.includes(name), table);
  const warnings = complaints.filter((text) => /^(warning|error|failed)/.test(text) && !OF_GRAPHICS.test(text));
  assert.deepEqual(warnings, []);
  const { profiles } = JSON.parse(profile.toString()) as { readonly profiles: readonly { readonly name: string }[] };
  assert.equal(profiles.length, 2);
});
