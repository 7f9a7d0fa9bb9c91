import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KEYS } from '../../src/page/keys.js';
import { VIEWS } from '../../src/page/views.js';
import { Sandbox } from '../e2e/support/program.js';
import { noBrowser, openRecording, said, startBrowser, untilLoaded, watchedPage } from './browser.js';

test('each key has one meaning in a view', () => {
  for (const { id } of VIEWS) {
    const keys = KEYS.filter(({ views }) => views === undefined || views.includes(id)).map(({ key }) => key);
    assert.deepEqual([...new Set(keys)], keys, id);
  }
});

test('every key works in every view, the help lists all, and the page fits at 400 % in both schemes', {
  skip: noBrowser,
}, async (t) => {
  const sandbox = new Sandbox(t);
  const program = sandbox.file('a.cjs', 'function f(n) { return n < 2 ? n : f(n - 1) + f(n - 2); }\nf(9);\nf(5);\n');
  const file = `${sandbox.folder}/a.dat`;
  const { code, stderr } = await sandbox.fentry(
    'record',
    '-p',
    'function_graph',
    '-e',
    'gc',
    '-o',
    file,
    '--',
    process.execPath,
    program,
  );
  assert.equal(code, 0, stderr);
  const link = await openRecording(sandbox, file);
  const browser = await startBrowser(t);
  for (const colorScheme of ['light', 'dark'] as const) {
    const { page, complaints } = await watchedPage(browser, { viewport: { width: 320, height: 256 }, colorScheme });
    // Nothing of this test goes to the site.
    await page
      .context()
      .route('https://ui.perfetto.dev/**', (route) => route.fulfill({ contentType: 'text/html', body: '<title>stub</title>' }));
    await page.goto(link);
    await untilLoaded(page);
    for (const [i, { id }] of VIEWS.entries()) {
      await page.keyboard.press(String(i + 1));
      for (const { key } of KEYS) {
        if (key === 'p' || /^\d$/.test(key)) continue;
        await page.keyboard.press(key);
        if (key === '/' || key === '?') await page.keyboard.press('Escape');
        await page.evaluate('document.activeElement.blur()');
        await page.keyboard.press(String(i + 1));
      }
      const [wide, room] = (await page.evaluate('[document.documentElement.scrollWidth, innerWidth]')) as [number, number];
      assert.ok(wide <= room, `${id} is ${wide} pixels wide where there are ${room}`);
    }
    await page.keyboard.press('?');
    for (const { label } of KEYS) assert.ok((await page.locator('#help kbd').allTextContents()).includes(label), label);
    await page.keyboard.press('Escape');
    await page.keyboard.press('4');
    await page.keyboard.press('o');
    assert.match(await said(page), /^by \w+$/);
    const [paper] = (await page.evaluate('[getComputedStyle(document.body).backgroundColor]')) as [string];
    assert.equal(paper, colorScheme === 'light' ? 'rgb(255, 255, 255)' : 'rgb(20, 23, 27)');
    assert.deepEqual(complaints, []);
    await page.close();
  }
});
