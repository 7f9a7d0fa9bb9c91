// Writes the pictures of docs/page.md: `node scripts/page-pictures.mjs` records the shop under load, opens the recording in
// Chromium, and goes through the views as a person would, without the mouse.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
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

/** Records the shop while it answers; resolves when the recording is written. */
async function record(file) {
  const args = ['record', '-p', 'function_graph', '-e', 'http', '-e', 'gc', '-e', 'sched:sched_switch', '-o', file];
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

const folder = mkdtempSync(join(tmpdir(), 'fentry-pictures-'));
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
try {
  const file = join(folder, 'shop.dat');
  await record(file);
  const server = spawn(process.execPath, [CLI, 'open', '--no-browser', file], { stdio: ['ignore', 'pipe', 'ignore'] });
  const [text] = await once(server.stdout, 'data');
  const page = await browser.newPage({ viewport: SIZE });
  await page.goto(/http\S+/.exec(String(text))[0]);
  await page.waitForSelector('#loaded[data-done]');
  for (const { name, keys } of PICTURES) {
    for (const key of keys) await page.keyboard.press(key);
    await page.waitForTimeout(500);
    await page.screenshot({ path: `docs/${name}.png` });
    console.log(`docs/${name}.png: ${await page.textContent('#message')}`);
  }
  server.kill('SIGINT');
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}
