import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Sandbox } from '../e2e/support/program.js';
import { noBrowser, openRecording, said, startBrowser, untilLoaded, watchedPage } from './browser.js';

/** A program whose function `shipping` has become slow, which has lost the function `discount`, and got `audit`. */
const PROGRAM = `
const isNew = process.argv[2] === 'new';
function shipping() { let sum = 0; for (let i = 0; i < (isNew ? 90000 : 3000); i++) sum += Math.sqrt(i); return sum; }
function vat() { let sum = 0; for (let i = 0; i < 3000; i++) sum += Math.sqrt(i); return sum; }
function discount() { return 1; }
function audit() { return 2; }
function order() { shipping(); vat(); return isNew ? audit() : discount(); }
for (let i = 0; i < 100; i++) order();
`;

async function recorded(t: TestContext): Promise<{ readonly sandbox: Sandbox; readonly files: readonly [string, string] }> {
  const sandbox = new Sandbox(t);
  const program = sandbox.file('shop.cjs', PROGRAM);
  const record = async (name: string): Promise<string> => {
    const file = `${sandbox.folder}/${name}.dat`;
    const args = ['record', '-p', 'function_graph', '-o', file, '--', process.execPath, program, name];
    const { code, stderr } = await sandbox.fentry(...args);
    assert.equal(code, 0, stderr);
    return file;
  };
  return { sandbox, files: [await record('old'), await record('new')] };
}

test('a person sees what became slower between two recordings, and why, without the mouse', { skip: noBrowser }, async (t) => {
  const { sandbox, files } = await recorded(t);
  const three = await sandbox.fentry('open', '--no-browser', ...files, files[0]);
  assert.match(three.stderr, /two to compare/);
  const { page, complaints } = await watchedPage(await startBrowser(t));
  await page.goto(await openRecording(sandbox, ...files));
  await untilLoaded(page);
  assert.equal(await page.title(), 'old.dat, new.dat - fentry');
  assert.match((await page.locator('.verdicts').textContent()) ?? '', /slower: shipping: /);
  // The table: what became of each function, as fentry diff says.
  const rowOf = (name: string) =>
    page.locator('.functions tbody tr').filter({ has: page.getByRole('button', { name, exact: true }) });
  assert.match((await rowOf('discount').textContent()) ?? '', /^discount−.*gone$/);
  assert.match((await rowOf('audit').textContent()) ?? '', /^audit\+.*new$/);
  assert.match((await rowOf('shipping').textContent()) ?? '', /100=.*slower/);
  // Both histograms of a function that is found by search.
  await page.keyboard.press('/');
  await page.keyboard.type('shipping');
  await page.keyboard.press('Enter');
  await page.locator('#found').waitFor();
  await page.evaluate('document.activeElement.blur()');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  assert.match(await said(page), /^shipping: slower \(p .*\), total time \+/);
  const cells = await page
    .locator('.two tbody tr')
    .evaluateAll((rows) =>
      (rows as { children: ArrayLike<{ textContent: string }> }[]).map(({ children }) =>
        [1, 2].map((i) => Number(children[i]!.textContent)),
      ),
    );
  const sums = [0, 1].map((i) => cells.reduce((sum, row) => sum + row[i]!, 0));
  assert.deepEqual(sums, [100, 100]);
  await page.keyboard.press('Escape');
  // The stacks of both.
  await page.keyboard.press('8');
  await page.locator('#flame').focus();
  for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowDown');
  assert.match(await said(page), /^shipping: (\+|x).*; before → after: total .* → .*, self .*, calls 100 → 100$/);
  // What has the whole width is drawn, too.
  await page.keyboard.press('f');
  await page.getByRole('button', { name: 'Show all' }).and(page.locator(':enabled')).waitFor();
  const isDrawn = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => {
    const { data } = document.querySelector('#flame').getContext('2d').getImageData(200, 6, 1, 1);
    done(data.slice(0, 3).join() !== '255,255,255');
  })))`;
  assert.equal(await page.evaluate(isDrawn), true);
  // Both times beside the line, and the other recording.
  await page.keyboard.press('7');
  await rowOf('discount').getByRole('button').focus();
  await page.keyboard.press('Enter');
  assert.match(await said(page), /^discount: gone/);
  await page.keyboard.press('b');
  assert.equal(await said(page), 'old.dat, the recording before');
  await page.getByRole('button', { name: 'Source', exact: true }).focus();
  await page.keyboard.press('Enter');
  const line = page.locator('tr.chosen');
  await line.waitFor();
  assert.match((await line.textContent()) ?? '', /^1000.*5function discount\(\) \{ return 1; \}$/);
  assert.deepEqual(complaints, []);
});
