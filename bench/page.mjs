// fentry open: how long a recording of a million calls takes until the page has all of it, how long its frames take while it is
// zoomed and moved, and how long a search takes; in Chromium without a graphics card. CALLS=10000000 for more calls. Behind each
// time stands what the page's thread took of it: that differs less on a busy machine.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { makeRecording } from '../build/bench/report/recording.js';
import { cannot, verdict } from './lib/verdict.mjs';

const CALLS = Number(process.env.CALLS ?? 1_000_000);
const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((path) => existsSync(path));
const CLI = process.env.CLI ?? fileURLToPath(new URL('../dist/cli.js', import.meta.url));
const FRAMES = 120;
/** Seconds until all calls are there: 3 for a million, 15 for ten. */
const MOST_SECONDS = CALLS > 1_000_000 ? 15 : 3;

/** Records a program that makes so many calls. */
function record(folder) {
  const program = join(folder, 'calls.cjs');
  const file = join(folder, 'calls.dat');
  const functions = Array.from(
    { length: 40 },
    (_, i) =>
      `function work${i}(depth) { for (let n = 2.2 * random(); n > 0.9 && left > 0; n--) if (depth < 20) { left--; pick()(depth + 1); } }`,
  );
  writeFileSync(
    program,
    `let left = ${CALLS}; let seed = 1;
    ${functions.join('\n')}
    const all = [${functions.map((_, i) => `work${i}`).join(', ')}];
    const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
    const pick = () => all[Math.floor(all.length * random())];
    while (left > 0) { left--; pick()(0); }`,
  );
  const args = ['record', '-p', 'function_graph', '-l', 'work*', '-b', '65536', '-o', file, '--', process.execPath, program];
  const { status, stderr } = spawnSync(process.execPath, [CLI, ...args], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return file;
}

/** Starts `fentry open`; resolves with the process and its link. */
function open(file) {
  const server = spawn(process.execPath, [CLI, 'open', '--no-browser', file], { stdio: ['ignore', 'pipe', 'ignore'] });
  return new Promise((resolve) => {
    server.stdout.on('data', (piece) => {
      const [link] = /http\S+/.exec(String(piece)) ?? [];
      if (link !== undefined) resolve({ server, link });
    });
  });
}

/** Counts the CPU time of a page's thread, ms. */
async function cpuOf(page) {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  return async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return 1000 * metrics.find(({ name }) => name === 'TaskDuration').value;
  };
}

/** Presses a key; resolves with the ms until there is such an element, and its frame was drawn. */
const until = (page, key, there) =>
  page.evaluate(
    async ({ key, there }) => {
      const before = performance.now();
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
      while (document.querySelector(there) === null) await new Promise(requestAnimationFrame);
      // The frame in which it is drawn, and the one behind it.
      for (let i = 0; i < 2; i++) await new Promise(requestAnimationFrame);
      return performance.now() - before;
    },
    { key, there },
  );

/** Runs in the page: presses a key before each frame; returns how long the frames took, ms. */
async function frames({ keys, count }) {
  const times = [];
  let last = await new Promise(requestAnimationFrame);
  for (let i = 0; i < count; i++) {
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: keys[i % keys.length], bubbles: true }));
    const now = await new Promise(requestAnimationFrame);
    times.push(now - last);
    last = now;
  }
  return times.sort((a, b) => a - b);
}

if (CHROMIUM === undefined) {
  cannot('a page of a recording', "there is no Chromium (Debian's package chromium)");
  process.exit(0);
}
const folder = mkdtempSync(join(tmpdir(), 'fentry-page-'));
const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] });

/** Opens a recording in a new page; resolves when all of it is there. */
async function opened(file) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.goto('about:blank');
  const begun = performance.now();
  const { server, link } = await open(file);
  const cpu = await cpuOf(page);
  await page.goto(link);
  await page.waitForSelector('#loaded[data-done]', { timeout: 300_000 });
  const calls = (await page.textContent('#loaded')).trim();
  return { page, server, cpu, calls, seconds: (performance.now() - begun) / 1000 };
}

try {
  const { page, server, cpu, calls, seconds } = await opened(record(folder));
  verdict({
    name: 'a recording is opened',
    ratio: seconds,
    unit: ' s',
    target: `< ${MOST_SECONDS}`,
    detail: `${calls} in the page; its thread took ${((await cpu()) / 1000).toFixed(2)} s`,
  });
  for (const [name, keys] of [
    ['frames while it is moved, all shown', ['x', 'Escape']],
    ['frames while it is zoomed', ['w', 'w', 'w', 'w', 's', 's', 's', 's']],
    ['frames while it is moved', ['d', 'd', 'a']],
  ]) {
    const before = await cpu();
    const times = await page.evaluate(frames, { keys, count: FRAMES });
    const each = ((await cpu()) - before) / FRAMES;
    verdict({
      name,
      ratio: times[FRAMES >> 1],
      unit: ' ms',
      target: '< 20',
      detail: `median of ${FRAMES}; 90 % took less than ${times[Math.floor(FRAMES * 0.9)].toFixed(1)} ms; the page's thread took ${each.toFixed(1)} ms each`,
    });
  }
  await page.keyboard.press('0');
  await page.keyboard.press('/');
  await page.keyboard.type('work39');
  const searched = await page.evaluate(async () => {
    const before = performance.now();
    document.querySelector('#search').form.requestSubmit();
    for (;;) {
      await new Promise(requestAnimationFrame);
      if (document.querySelector('#found') !== null) return performance.now() - before;
    }
  });
  verdict({
    name: 'a search',
    ratio: searched,
    unit: ' ms',
    target: '< 500',
    detail: 'until the list of what was found is there',
  });
  await reportView({ page, cpu }, 'the table of functions', '4', '.functions tbody tr');
  await reportView({ page, cpu }, 'the flame graph', '2', '#flame');
  server.kill('SIGINT');
  await page.close();
  const many = await opened(makeRecording(join(folder, 'many'), 'function_graph', 2 * CALLS, 4));
  await reportView(many, 'the flame graph of as many stacks', '2', '#flame');
  many.server.kill('SIGINT');
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}

async function reportView({ page, cpu }, name, key, there) {
  const before = await cpu();
  const took = await until(page, key, there);
  const own = (await cpu()) - before;
  verdict({ name, ratio: took, unit: ' ms', detail: `until it is drawn; the page's thread took ${own.toFixed(0)} ms` });
}
