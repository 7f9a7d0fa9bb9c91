import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
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

/** Records the program, dumps it in a format, and opens that in speedscope; returns the file and what the page complains of. */
async function opened(t: TestContext, format: string, file: string): Promise<{ profile: Buffer; warnings: readonly string[] }> {
  const sandbox = new Sandbox(t);
  const program = sandbox.file('program.mjs', PROGRAM);
  const record = await sandbox.fentry('record', '-p', 'function_graph', '-o', 't.dat', '--', process.execPath, program);
  assert.equal(record.code, 0, record.stderr);
  const dump = await sandbox.fentry('dump', format, '-i', 't.dat', '-o', file);
  assert.equal(dump.code, 0, dump.stderr);
  const profile = readFileSync(join(sandbox.folder, file));
  // Speedscope's own command hands a file over like that.
  const script = sandbox.file('t.js', `speedscope.loadFileFromBase64('${file}', '${profile.toString('base64')}')`);
  const { page, complaints } = await watchedPage(await startBrowser(t));
  await page.goto(`${pathToFileURL(join(speedscope!, 'dist/release/index.html')).href}#localProfilePath=${script}`);
  await page.waitForFunction('/^(program\\.mjs|t\\.cpuprofile)/.test(document.title)');
  await page.keyboard.press('3');
  await page.waitForSelector('text=Symbol Name');
  const table = (await page.textContent('body')) ?? '';
  for (const name of ['outer', 'inner']) assert.ok(table.includes(name), table);
  return { profile, warnings: complaints.filter((text) => /^(warning|error|failed)/.test(text) && !OF_GRAPHICS.test(text)) };
}

test('speedscope opens a recording without a warning, with a profile for each thread', { skip }, async (t) => {
  const { profile, warnings } = await opened(t, '--speedscope', 't.json');
  assert.deepEqual(warnings, []);
  const { profiles } = JSON.parse(profile.toString()) as { readonly profiles: readonly { readonly name: string }[] };
  assert.equal(profiles.length, 2);
});

test("speedscope opens a profile of V8's form without a warning", { skip }, async (t) => {
  assert.deepEqual((await opened(t, '--cpuprofile', 't.cpuprofile')).warnings, []);
});
