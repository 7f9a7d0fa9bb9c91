import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { graphEntry, graphExit, PageBuilder, printRecord } from '../../src/output/trace-dat/testing/page-builder.js';
import { writeRecording } from '../../src/output/trace-dat/testing/recording.js';
import { Sandbox } from '../e2e/support/program.js';
import { noBrowser, openRecording, startBrowser, untilLoaded, watchedPage } from './browser.js';

const BASE = 0xffffffff81000000n;
/** Names that would be code, or would end the element that they stand in, if they were not escaped. */
const NAMES = [
  '<img/src=x/onerror=window.hit=1>',
  '</script><script>window.hit=1</script>',
  '<!--<script>',
  "'-alert`1`-'",
  '__proto__',
  'constructor',
  '\u202eesrever\u001b[31m',
  '{{constructor.constructor`window.hit=1`}}',
];
/** A file that nobody may read through the page, in the place of a function. */
const SECRET = '/etc/passwd';

function hostileRecording(t: TestContext): { readonly sandbox: Sandbox; readonly file: string } {
  const sandbox = new Sandbox(t);
  const pages = new PageBuilder();
  let time = 1_000_000n;
  for (let i = 0; i < 40; i++) {
    const func = BASE + BigInt((i % NAMES.length) * 0x100);
    pages.event(time, graphEntry(7, func, 0, 0, [NAMES[(i + 1) % NAMES.length]!]));
    pages.event(time + 100n, printRecord(7, 0n, `${NAMES[i % NAMES.length]}\n`));
    pages.event(time + 1000n, graphExit(7, func, 0, time, time + 1000n, 0, NAMES[i % NAMES.length]));
    time += 2000n;
  }
  const symbols = NAMES.map((name, i) => `${(BASE + BigInt(i * 0x100)).toString(16)} t ${name}\t[${NAMES[0]}]\n`);
  const places = NAMES.map((name, i) => `${(BASE + BigInt(i * 0x100)).toString(16)} /srv/${name}.js:1:1\n`);
  const file = writeRecording(sandbox.folder, [pages.bytes()], {
    version: '0',
    kallsyms: [symbols.join('')],
    cmdlines: [[7, '<b>node</b>']],
    places: [`folder /srv\n${places.join('')}`],
  });
  return { sandbox, file };
}

test('names in a recording are shown as text, by the server and from a file', { skip: noBrowser }, async (t) => {
  const { sandbox, file } = hostileRecording(t);
  const html = `${sandbox.folder}/t.html`;
  const { code, stderr } = await sandbox.fentry('dump', '--html-sources', '-i', file, '-o', html);
  assert.equal(code, 0, stderr);
  const browser = await startBrowser(t);
  for (const url of [await openRecording(sandbox, file), `file://${html}`]) {
    const { page, complaints } = await watchedPage(browser);
    await page.goto(url);
    await untilLoaded(page);
    for (const key of [
      'ArrowRight',
      'ArrowRight',
      'm',
      '2',
      'ArrowDown',
      'ArrowDown',
      '3',
      '4',
      '/',
      'i',
      'Enter',
      'n',
      '1',
      'ArrowRight',
      '5',
    ])
      await page.keyboard.press(key);
    await page.locator('main [role=alert]').waitFor();
    await page.keyboard.press('4');
    const shown = await page.locator('.functions').innerText();
    assert.ok(shown.includes('<img/src=x/onerror=window.hit=1>'), shown);
    assert.ok(!shown.includes('\u202e') && !shown.includes('\u001b'), 'what turns or hides text is made visible');
    assert.equal(await page.evaluate('window.hit'), undefined);
    assert.equal(await page.locator('main img, main script').count(), 0);
    // The server answers 404 for the files, which are not there; the browser tells of that.
    assert.deepEqual(
      complaints.filter((one) => !/status of 404/.test(one)),
      [],
    );
    await page.close();
  }
});

test('the page cannot read a file that the recording does not list', { skip: noBrowser }, async (t) => {
  const { sandbox, file } = hostileRecording(t);
  const link = await openRecording(sandbox, file);
  const { origin, hash } = new URL(link);
  for (const path of [
    SECRET,
    `/srv/../${SECRET}`,
    '//etc/passwd',
    'file:///etc/passwd',
    `/srv/x.js/../..${SECRET}`,
    '%2fetc%2fpasswd',
  ]) {
    const answer = await fetch(`${origin}/source?file=${encodeURIComponent(path)}`, {
      headers: { 'x-fentry-token': hash.slice(1) },
    });
    assert.equal(answer.status, 403, path);
  }
});
