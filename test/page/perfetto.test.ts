import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Sandbox } from '../e2e/support/program.js';
import { noBrowser, openRecording, said, startBrowser, untilLoaded, watchedPage } from './browser.js';

/** What ui.perfetto.dev does, by its documentation: it answers PING once it is ready, and takes the file. */
const SITE = `<!doctype html><title>waits</title><script>
let isReady = false;
setTimeout(() => { isReady = true; }, 300);
addEventListener('message', ({ data, source, origin }) => {
  if (data === 'PING') { if (isReady) source.postMessage('PONG', origin); }
  else document.title = 'has ' + data.perfetto.title + ' ' + (data.perfetto.buffer.byteLength > 100);
});
</script>`;

test('the recording goes to Perfetto when a person asks for it, and not before', { skip: noBrowser }, async (t) => {
  const sandbox = new Sandbox(t);
  const program = sandbox.file('a.cjs', 'function f() {}\nf();\n');
  const file = `${sandbox.folder}/a.dat`;
  await sandbox.fentry('record', '-p', 'function_graph', '-o', file, '--', process.execPath, program);
  const { page, complaints } = await watchedPage(await startBrowser(t));
  const asked: string[] = [];
  await page.context().route('https://**', (route) => {
    asked.push(route.request().url());
    return route.fulfill({ contentType: 'text/html', body: SITE });
  });
  await page.goto(await openRecording(sandbox, file));
  await untilLoaded(page);
  for (const key of ['2', '4', '6', '1']) await page.keyboard.press(key);
  assert.deepEqual(asked, []);
  const opened = page.waitForEvent('popup');
  await page.keyboard.press('p');
  const site = await opened;
  await site.waitForFunction("document.title.startsWith('has')");
  assert.equal(await site.title(), 'has a.dat true');
  assert.deepEqual(asked, ['https://ui.perfetto.dev/']);
  await page.waitForFunction("document.querySelector('#message').textContent === 'Perfetto has the recording'");
  assert.equal(await said(page), 'Perfetto has the recording');
  assert.deepEqual(complaints, []);
});
