import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { CONTROLS, LIVE_KEYS } from '../../src/page/live/live-keys.js';
import { LIVE_VIEWS } from '../../src/page/live/live-views.js';
import { Sandbox, type Started, until } from '../e2e/support/program.js';
import { noBrowser, said, startBrowser, watchedPage } from './browser.js';
import { openUi } from './live-access.js';

/** What would be code, or would hide text, if it were not escaped. */
const HOSTILE = '<img src=x onerror=window.hit=1>\u202eesrever';

/** A program with such a title, names and values. */
const PROGRAM = `
class Shop {
  answer(n, text) {
    const value = n * 2;
    return value + text;
  }
}
process.title = ${JSON.stringify(HOSTILE)};
const shop = new Shop();
const { hostile } = { hostile: { [process.title](n) { return shop.answer(n, process.title); } } };
setInterval(() => { for (const one of Object.values(hostile)) one(7); }, 20);
`;

/** Controls that are there only in a process without fentry, or after a recording. */
const SELDOM: readonly string[] = ['ask', 'attach', 'timeline', 'put-back', 'clear', 'values'];

async function shown(t: TestContext): Promise<{ readonly program: Started; readonly link: string; readonly sandbox: Sandbox }> {
  const sandbox = new Sandbox(t);
  const program = await sandbox.startRequired(PROGRAM);
  return { program, sandbox, link: (await openUi(sandbox, '--pid', String(program.pid))).link };
}

test('each key of the page of running processes has one meaning in a view, and each control has a key', () => {
  for (const { id } of LIVE_VIEWS) {
    const keys = LIVE_KEYS.filter(({ views }) => views === undefined || views.includes(id)).map(({ key }) => key);
    assert.deepEqual([...new Set(keys)], keys, id);
  }
  const actions: readonly string[] = LIVE_KEYS.map(({ action }) => action);
  assert.deepEqual(
    CONTROLS.filter((name) => !actions.includes(name)),
    [],
  );
});

test('a person sees what a process does, puts a probe on a line, and puts all back, without the mouse', {
  skip: noBrowser,
}, async (t) => {
  const { program, link, sandbox } = await shown(t);
  const { page, complaints } = await watchedPage(await startBrowser(t));
  await page.goto(link);
  await page.locator('.headline strong', { hasText: /^Its main thread (waits|runs)/ }).waitFor();

  await page.keyboard.press('4');
  await page.locator('.found button').first().waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('shop.answer');
  await page.keyboard.press('Escape');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.locator('#line-3 button:focus').waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.locator('#line-5 .hits', { hasText: /^\d+ hits; the last: n=7 text="<img src=x .*value=14$/ }).waitFor();
  assert.equal(await said(page), 'line 5 has the probe probe:Shop_answer_L5');

  const text = await page.locator('body').innerText();
  assert.ok(text.includes('<img src=x') && !text.includes('\u202e'), 'what turns text is made visible');
  assert.equal(await page.locator('#page img').count(), 0);

  await page.keyboard.press('6');
  await page.keyboard.press('e');
  await page.keyboard.type('sched:sched_switch');
  await page.keyboard.press('Tab');
  await page.keyboard.type('nope');
  await page.keyboard.press('Enter');
  const refusal = page.locator('.refusal');
  await refusal.waitFor();
  assert.match((await refusal.textContent()) ?? '', /^Couldn't find field \(EINVAL\)\nhist:keys=nope\n {10}\^$/);
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('next_comm');
  await page.keyboard.press('Enter');
  await page.locator('.bars span').first().waitFor();

  await page.keyboard.press('Escape');
  await page.keyboard.press('3');
  await page.locator('.functions', { hasText: 'Shop.answer' }).waitFor();
  assert.equal(await page.evaluate('window.hit'), undefined);

  await page.keyboard.press('5');
  await page.keyboard.press('l');
  await page.locator('[data-action=timeline]:focus').waitFor();
  const [recording] = await Promise.all([page.context().waitForEvent('page'), page.keyboard.press('o')]);
  await recording.waitForSelector('#loaded[data-done]');
  assert.match((await recording.textContent('#loaded')) ?? '', /^[1-9][\d,]* calls$/);
  await recording.close();

  assert.match((await page.locator('#changed summary').textContent()) ?? '', /^This page has changed 2 things/);
  await page.keyboard.press('u');
  await page.locator('#changed').waitFor({ state: 'detached' });
  const client = sandbox.client(program.pid);
  assert.equal(await client.read('dynamic_events'), '');
  await page.keyboard.press('1');
  await page.close();
  await until(async () => (await client.list('instances')).length === 0, 'nothing of the page is left');
  assert.equal(await client.read('function_profile_enabled'), '0\n');
  assert.equal(await client.read('current_tracer'), 'nop\n');
  // The browser tells of the answer 400, which the page shows.
  assert.deepEqual(
    complaints.filter((one) => !/status of 400/.test(one)),
    [],
  );
});

test('all keys work in all views of a running process at 400 % in the dark, with the token only, and its end is said', {
  skip: noBrowser,
}, async (t) => {
  const { program, link } = await shown(t);
  const browser = await startBrowser(t);
  const small = { viewport: { width: 320, height: 256 }, colorScheme: 'dark' } as const;
  const { page: without } = await watchedPage(browser);
  await without.goto(link.replace(/#.*/, ''));
  await without
    .locator('[role=alert]', { hasText: /^the token is missing or wrong: open the link that fentry printed$/ })
    .waitFor();
  await without.close();
  const { page, complaints } = await watchedPage(browser, small);
  await page.goto(link);
  await page.locator('.headline strong', { hasText: 'Its main thread' }).waitFor();
  for (const [i, { id }] of LIVE_VIEWS.entries()) {
    await page.keyboard.press(String(i + 1));
    await page.locator('main section').first().waitFor();
    for (const { key, action, views } of LIVE_KEYS) {
      if (/^\d$/.test(key) || (views !== undefined && !views.includes(id))) continue;
      const isControl = (CONTROLS as readonly string[]).includes(action) && !SELDOM.includes(action);
      if (isControl) assert.equal(await page.locator(`[data-action="${action}"]`).count(), 1, `${id}: ${action}`);
      await page.keyboard.press(key);
      await page.keyboard.press('Escape');
      await page.evaluate('document.activeElement.blur()');
      if (action === 'pause') await page.keyboard.press(key);
      if (action === 'press') await page.keyboard.press(String(i + 1));
    }
    const [wide, room] = (await page.evaluate('[document.documentElement.scrollWidth, innerWidth]')) as [number, number];
    assert.ok(wide <= room, `${id} is ${wide} pixels wide where there are ${room}`);
  }
  await page.keyboard.press('?');
  const listed = await page.locator('#help kbd').allTextContents();
  for (const { label } of LIVE_KEYS) assert.ok(listed.includes(label), label);
  await page.keyboard.press('Escape');
  assert.equal(await page.evaluate('getComputedStyle(document.body).backgroundColor'), 'rgb(20, 23, 27)');
  await page.keyboard.press('1');
  program.kill('SIGKILL');
  await page.locator('main', { hasText: 'It has ended.' }).waitFor();
  assert.match((await page.locator('[role=alert]').first().textContent()) ?? '', /^Process \d+ has ended\./);
  assert.deepEqual(
    complaints.filter((one) => !/status of 4\d\d/.test(one)),
    [],
  );
});
