import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { MAGIC } from '../../src/timeline/columns-format.js';
import { Sandbox } from '../e2e/support/program.js';
import { noBrowser, openRecording, said, startBrowser, untilLoaded, watchedPage } from './browser.js';

/** A server that answers two requests, one of them slowly, in a function that has a name. */
const SERVER = `
import { createServer, get } from 'node:http';
import { once } from 'node:events';
function compute(ms) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
function answer(request, response) {
  compute(request.url === '/slow' ? 700 : 1);
  response.end('done');
}
const server = createServer(answer).listen(0, '127.0.0.1');
await once(server, 'listening');
for (const path of ['/quick', '/slow', '/quick']) {
  const [response] = await once(get({ port: server.address().port, path, agent: false }), 'response');
  response.resume();
  await once(response, 'end');
}
server.close();
`;

async function recorded(t: TestContext): Promise<{ readonly sandbox: Sandbox; readonly file: string }> {
  const sandbox = new Sandbox(t);
  const program = sandbox.file('server.mjs', SERVER);
  const file = `${sandbox.folder}/app.dat`;
  const { code, stderr } = await sandbox.fentry(
    'record',
    '-p',
    'function_graph',
    '-e',
    'http',
    '-o',
    file,
    '--',
    process.execPath,
    program,
  );
  assert.equal(code, 0, stderr);
  return { sandbox, file };
}

test('fentry open prints the link, serves the page until Ctrl-C, and refuses what is no recording', async (t) => {
  const { sandbox, file } = await recorded(t);
  const bad = await sandbox.fentry('open', '--no-browser', `${sandbox.folder}/server.mjs`);
  assert.equal(bad.code, 1);
  assert.match(bad.stderr, /no trace\.dat/);
  const none = await sandbox.fentry('open', '--no-browser', `${sandbox.folder}/nothing.dat`);
  assert.match(none.stderr, /nothing\.dat/);
  const server = sandbox.spawnFentry('open', '--no-browser', file);
  const [piece] = await once(server.stdout!.setEncoding('utf8'), 'data');
  const [, link] = /^.* is shown at (http:\/\/127\.0\.0\.1:\d+\/#\S+)\n$/.exec(String(piece)) ?? assert.fail(String(piece));
  const { origin, hash } = new URL(link!);
  const headers = { 'x-fentry-token': hash.slice(1) };
  const bytes = Buffer.from(await (await fetch(`${origin}/recording`, { headers })).arrayBuffer());
  assert.equal(bytes.toString('latin1', 0, MAGIC.length), MAGIC);
  const source = await fetch(`${origin}/source?file=${encodeURIComponent(`${sandbox.folder}/server.mjs`)}`, { headers });
  assert.equal(((await source.json()) as { text: string }).text, readFileSync(`${sandbox.folder}/server.mjs`, 'utf8'));
  assert.equal((await fetch(`${origin}/source?file=/etc/passwd`, { headers })).status, 403);
  assert.equal((await fetch(`${origin}/recording`)).status, 403);
  server.kill('SIGINT');
  const [code] = await once(server, 'exit');
  assert.equal(code, 0);
});

test('a person searches for a function and reads its source line, without the mouse', { skip: noBrowser }, async (t) => {
  const { sandbox, file } = await recorded(t);
  const { page, complaints } = await watchedPage(await startBrowser(t));
  await page.goto(await openRecording(sandbox, file));
  await untilLoaded(page);
  await page.keyboard.press('/');
  await page.keyboard.type('compute');
  await page.keyboard.press('Enter');
  assert.match(await said(page), /^found: 1 functions/);
  await page.keyboard.press('n');
  assert.match(await said(page), /^compute, at .*, time \S+ [mµ]s, defined at server\.mjs:4/);
  await page.keyboard.press('n');
  await page.keyboard.press('t');
  assert.match(await said(page), /^compute, at .*, time [7-9]\d\d\.\d ms, defined at server\.mjs:4/);
  await page.locator('#timeline').focus();
  await page.keyboard.press('Enter');
  const line = page.locator('tr.chosen');
  await line.waitFor();
  assert.match((await line.textContent()) ?? '', /^3[\d.]+ ms[\d.]+ ms4function compute\(ms\) \{$/);
  assert.equal(await said(page), 'server.mjs, line 4: function compute(ms) {');
  assert.equal(await page.evaluate('document.activeElement.id'), 'line-4');
  await page.keyboard.press('4');
  assert.match((await page.locator('tr.chosen').textContent()) ?? '', /^compute.*server\.mjs:4$/);
  assert.deepEqual(complaints, []);
});

test('a person finds the slowest request and reads its source line, without the mouse', { skip: noBrowser }, async (t) => {
  const { sandbox, file } = await recorded(t);
  const { page, complaints } = await watchedPage(await startBrowser(t));
  await page.goto(await openRecording(sandbox, file));
  await untilLoaded(page);
  await page.keyboard.press('6');
  const first = page.locator('main [data-row]').first();
  await first.waitFor();
  assert.match((await first.textContent()) ?? '', /^GET \/slow/);
  await page.keyboard.press('Enter');
  await page.waitForSelector('#timeline');
  assert.match(await said(page), /^compute, at .*, time [7-9]\d\d\.\d ms, defined at server\.mjs:4/);
  await page.keyboard.press('Enter');
  const line = page.locator('tr.chosen');
  await line.waitFor();
  assert.match((await line.textContent()) ?? '', /^3[\d.]+ ms[\d.]+ ms4function compute\(ms\) \{$/);
  assert.match(await said(page), /^server\.mjs, line 4: function compute\(ms\) \{/);
  assert.equal(await page.evaluate('document.activeElement.id'), 'line-4');
  assert.deepEqual(complaints, []);
});

test('a page with the recording inside works from a file, without a network', { skip: noBrowser }, async (t) => {
  const { sandbox, file } = await recorded(t);
  const bare = await sandbox.fentry('dump', '--html', '-i', file, '-o', `${sandbox.folder}/bare.html`);
  assert.equal(bare.code, 0, bare.stderr);
  const { code, stderr } = await sandbox.fentry('dump', '--html-sources', '-i', file, '-o', `${sandbox.folder}/app.html`);
  assert.equal(code, 0, stderr);
  const browser = await startBrowser(t);
  const { page, complaints } = await watchedPage(browser);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url().slice(0, 5)));
  await page.goto(`file://${sandbox.folder}/app.html`);
  await untilLoaded(page);
  await page.keyboard.press('6');
  await page.keyboard.press('Enter');
  await page.locator('#timeline').waitFor();
  await page.keyboard.press('Enter');
  assert.match((await page.locator('tr.chosen').textContent()) ?? '', /4function compute\(ms\) \{$/);
  assert.equal(await said(page), 'server.mjs, line 4: function compute(ms) {');
  await page.goto(`file://${sandbox.folder}/bare.html`);
  await untilLoaded(page);
  await page.keyboard.press('6');
  await page.keyboard.press('Enter');
  await page.locator('#timeline').waitFor();
  await page.keyboard.press('Enter');
  assert.match((await page.locator('main [role=alert]').textContent()) ?? '', /does not have the source/);
  assert.deepEqual(complaints, []);
  assert.ok(
    asked.every((scheme) => scheme === 'file:' || scheme === 'data:'),
    asked.join(),
  );
});

test('a file that leads to the link opens the page; a frame of another page does not', { skip: noBrowser }, async (t) => {
  const { sandbox, file } = await recorded(t);
  const link = await openRecording(sandbox, file);
  const browser = await startBrowser(t);
  const { page, complaints } = await watchedPage(browser);
  await page.goto(`file://${sandbox.file('open.html', `<!doctype html><meta http-equiv="refresh" content="0;url=${link}">`)}`);
  await untilLoaded(page);
  assert.equal(page.url(), link);
  assert.deepEqual(complaints, []);
  const other = await browser.newPage();
  await other.goto(`file://${sandbox.file('frame.html', `<!doctype html><iframe src="${link}"></iframe>`)}`);
  const [, frame] = other.frames();
  await frame?.waitForLoadState();
  assert.ok(!(await frame?.content())?.includes('id="page"'), await frame?.content());
});
