// Writes the pictures of docs/page.md and docs/ui.md: `node scripts/page-pictures.mjs` records the shop under load, opens the
// recording in Chromium, and goes through the views as a person would, without the mouse; then through those of the running shop.
// With `ui` it writes the latter only.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { runLoad } from '../examples/shop/load.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const CLI = 'dist/cli.js';
const REQUESTS = 100;
const SIZE = { width: 1000, height: 560 };

/** The pictures: their names, and the keys that lead to each from the one before. */
const PICTURES = [
  { name: 'page-timeline', keys: ['6', 'Enter'] },
  { name: 'page-source', keys: ['Enter'] },
  { name: 'page-flame', keys: ['2', 'o'] },
];

/** The pictures of a recording that follows async contexts. */
const PICTURES_OF_REQUESTS = [{ name: 'page-requests', keys: ['g', 'ArrowDown', 'ArrowDown', 'z', 'f'] }];
/** The pictures of two recordings. */
const PICTURES_OF_TWO = [
  { name: 'page-changes', keys: ['ArrowDown', 'Enter'] },
  { name: 'page-changed-stacks', keys: ['8', 'o'] },
];

/** Where a person types the name of a function in the pictures of the running shop. */
const SOUGHT = 'priceCart';

/** The pictures of the running shop: keys, and milliseconds to wait behind them. */
const PICTURES_OF_UI = [
  { name: 'ui-now', keys: ['2', 'm', 'ArrowUp', 'ArrowUp', 'Escape', '1'], wait: 20_000 },
  {
    name: 'ui-source',
    keys: ['4', '/', ...SOUGHT, 'Escape', 'ArrowDown', 'Enter', 'ArrowDown', 'ArrowDown', 'Enter'],
    wait: 3000,
  },
];

/** A program whose second version audits each order, and asks for the price of each item anew. */
const VERSIONS = `
const isNew = process.argv[2] === 'after';
const spend = (n) => { let sum = 0; for (let i = 0; i < n; i++) sum += Math.sqrt(i); return sum; };
function findPrice() { let sum = 0; for (let i = 0; i < 2500; i++) sum += Math.sqrt(i); return sum; }
function addItems() { for (let i = 0; i < (isNew ? 8 : 1); i++) findPrice(); return spend(3000); }
function shipping() { return spend(isNew ? 20000 : 9000); }
function tax() { return spend(8000); }
function writeAudit() { return spend(4000); }
function printReceipt() { return spend(isNew ? 4000 : 14000); }
function order() { addItems(); shipping(); tax(); if (isNew) writeAudit(); printReceipt(); }
for (let i = 0; i < 400; i++) order();
`;

/** Records the shop while it answers; resolves when the recording is written. */
async function record(file, ...more) {
  const args = ['record', '-p', 'function_graph', '-e', 'http', '-e', 'gc', ...more, '-o', file];
  const recorder = spawn(process.execPath, [CLI, ...args, '--', process.execPath, 'examples/shop/server.mjs', '0'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  for await (const line of createInterface({ input: recorder.stdout })) {
    const [, pid, url] = /^shop (\d+) listens on (\S+)$/.exec(line) ?? [];
    if (pid === undefined) continue;
    await runLoad({ url, connections: 4, requests: REQUESTS });
    process.kill(Number(pid), 'SIGTERM');
    break;
  }
  await once(recorder, 'exit');
}

/** Opens recordings, and writes pictures of them. */
async function pictures(files, wanted, viewport = SIZE) {
  const server = spawn(process.execPath, [CLI, 'open', '--no-browser', ...files], { stdio: ['ignore', 'pipe', 'ignore'] });
  const [text] = await once(server.stdout, 'data');
  const page = await browser.newPage({ viewport });
  await page.goto(/http\S+/.exec(String(text))[0]);
  await page.waitForSelector('#loaded[data-done]');
  for (const { name, keys } of wanted) {
    for (const key of keys) await page.keyboard.press(key);
    await page.waitForTimeout(500);
    await page.screenshot({ path: `docs/${name}.png` });
    console.log(`docs/${name}.png: ${await page.textContent('#message')}`);
  }
  await page.close();
  server.kill('SIGINT');
}

/** Shows the shop while it answers, and writes pictures of that. */
async function picturesOfUi(wanted) {
  const shop = spawn(process.execPath, [CLI, 'env', process.execPath, 'examples/shop/server.mjs', '0'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [line] = await once(createInterface({ input: shop.stdout }), 'line');
  const [, pid, url] = /^shop (\d+) listens on (\S+)$/.exec(line);
  const server = spawn(process.execPath, [CLI, 'ui', '--no-browser', '--pid', pid], { stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    const [text] = await once(server.stdout, 'data');
    const load = runLoad({ url, connections: 4, seconds: 40 });
    const page = await browser.newPage({ viewport: { ...SIZE, height: 640 } });
    await page.goto(/http\S+/.exec(String(text))[0]);
    for (const { name, keys, wait } of wanted) {
      for (const key of keys) {
        await page.keyboard.press(key);
        await page.waitForTimeout(300);
      }
      await page.waitForTimeout(wait);
      await page.screenshot({ path: `docs/${name}.png` });
      console.log(`docs/${name}.png: ${await page.textContent('#message')}`);
    }
    await page.close();
    await load;
  } finally {
    server.kill('SIGINT');
    process.kill(Number(pid), 'SIGTERM');
  }
}

const folder = mkdtempSync(join(tmpdir(), 'fentry-pictures-'));
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
try {
  await picturesOfUi(PICTURES_OF_UI);
  if (process.argv[2] !== 'ui') await picturesOfRecordings();
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}

/** Records the shop and two versions of a program, and writes pictures of the recordings. */
async function picturesOfRecordings() {
  const file = join(folder, 'shop.dat');
  await record(file, '-e', 'sched:sched_switch');
  await pictures([file], PICTURES);
  const contexts = join(folder, 'contexts.dat');
  await record(contexts, '-O', 'async-context', '-e', 'sched');
  await pictures([contexts], PICTURES_OF_REQUESTS);
  const program = join(folder, 'order.cjs');
  writeFileSync(program, VERSIONS);
  const versions = ['before', 'after'].map((name) => {
    const out = join(folder, `${name}.dat`);
    const args = ['record', '-p', 'function_graph', '-o', out, '--', process.execPath, program, name];
    const { status, stderr } = spawnSync(process.execPath, [CLI, ...args], { encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
    return out;
  });
  await pictures(versions, PICTURES_OF_TWO, { width: 1000, height: 700 });
}
