import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Sandbox } from '../e2e/support/program.js';
import { noBrowser, openRecording, said, startBrowser, untilLoaded, watchedPage } from './browser.js';

/** A server whose requests wait in a function that goes on later; the second takes longest. */
const SERVER = `
import { createServer, get } from 'node:http';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
function price() { return 7; }
async function load(ms) {
  await sleep(ms);
  return price();
}
async function answer(request, response) {
  response.end(String(await load(request.url === '/slow' ? 900 : 1)));
}
const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
await once(server, 'listening');
await Promise.all(['/quick', '/slow', '/other'].map(async (path) => {
  const [response] = await once(get({ port: server.address().port, path, agent: false }), 'response');
  response.resume();
  await once(response, 'end');
}));
server.close();
`;

test('a person sees what a request did, across its waits, without the mouse', { skip: noBrowser }, async (t) => {
  const sandbox = new Sandbox(t);
  const file = `${sandbox.folder}/app.dat`;
  const program = sandbox.file('server.mjs', SERVER);
  const options = ['-p', 'function_graph', '-O', 'async-context', '-e', 'sched', '-e', 'http'];
  const { code, stderr } = await sandbox.fentry('record', ...options, '-o', file, '--', process.execPath, program);
  assert.equal(code, 0, stderr);
  const { page, complaints } = await watchedPage(await startBrowser(t));
  await page.goto(await openRecording(sandbox, file));
  await untilLoaded(page);
  await page.keyboard.press('g');
  assert.equal(await said(page), '3 groups, the longest first');
  await page.keyboard.press('ArrowDown');
  assert.match(await said(page), /^GET \/slow 200: \S+ m?s, ran .* in \d+ stretches; 1 of 3$/);
  await page.keyboard.press('z');
  assert.equal(await said(page), 'GET /slow 200 is unfolded');
  // The function that waits, and its part behind the wait.
  await page.keyboard.press('/');
  await page.keyboard.type('load');
  await page.keyboard.press('Enter');
  await page.locator('#found').waitFor();
  const details = page.locator('.timeline .details');
  for (let i = 0; i < 20; i++) {
    await page.keyboard.press('n');
    const isLoad = /^load, at /.test(await said(page));
    if (isLoad && /requestGET \/slow 200/.test((await details.textContent()) ?? '')) break;
  }
  await page.keyboard.press('r');
  assert.match(await said(page), /^part [12] of 2: load, at /);
  assert.match((await details.textContent()) ?? '', /requestGET \/slow 200part[12] of 2/);
  // Of the contexts there are more than of the requests.
  await page.keyboard.press('g');
  const [, contexts] = /^(\d+) groups/.exec(await said(page)) ?? [];
  assert.ok(Number(contexts) > 3, contexts);
  await page.keyboard.press('g');
  assert.equal(await said(page), 'a group a thread');
  assert.deepEqual(complaints, []);
});
