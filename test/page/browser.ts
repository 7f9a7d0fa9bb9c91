import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { type Browser, chromium, type Page } from 'playwright-core';
import type { Sandbox } from '../e2e/support/program.js';

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) => existsSync(path));

/** Why tests that need a browser are skipped; false if they are not. */
export const noBrowser: string | false = CHROMIUM === undefined && "there is no Chromium (Debian's package chromium)";

/** A browser without a graphics card, which ends with the test. */
export async function startBrowser(t: Pick<TestContext, 'after'>): Promise<Browser> {
  const browser = await chromium.launch({ executablePath: CHROMIUM!, args: ['--no-sandbox', '--disable-gpu'] });
  t.after(() => browser.close());
  return browser;
}

/** A page that keeps what the browser complains of. */
export interface WatchedPage {
  readonly page: Page;
  /** Messages of the console and errors, those of the content security policy too. */
  readonly complaints: readonly string[];
}

/** A new page. */
export async function watchedPage(browser: Browser, options: Parameters<Browser['newPage']>[0] = {}): Promise<WatchedPage> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, ...options });
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`));
  page.on('response', async (response) => {
    if (response.status() >= 500) complaints.push(`${response.url()}: ${await response.text().catch(() => '')}`);
  });
  page.on('requestfailed', (request) => {
    // Chromium calls a body aborted that was read as a stream to its end. The page itself says if it was not.
    const reason = request.failure()?.errorText;
    if (reason !== 'net::ERR_ABORTED') complaints.push(`failed: ${request.url()} ${reason}`);
  });
  return { page, complaints };
}

/** Waits until the whole recording is there, and the page complains of nothing. */
export const untilLoaded = async (page: Page): Promise<void> => {
  await page.waitForSelector('#loaded[data-done]', { timeout: 90_000 });
  assert.deepEqual(await page.locator('[role=alert]').allTextContents(), []);
};

/** What the last line of the page says, when the page has drawn what was done before. */
export async function said(page: Page): Promise<string> {
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  return (await page.textContent('#message')) ?? '';
}

/** Runs `fentry open` on a recording, or two; returns the link. */
export function openRecording(sandbox: Sandbox, ...files: readonly string[]): Promise<string> {
  const server = sandbox.spawnFentry('open', '--no-browser', ...files);
  return new Promise((resolve, reject) => {
    let text = '';
    server.stdout!.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
      const [link] = /http:\/\/\S+\n/.exec(text) ?? [];
      if (link !== undefined) resolve(link.trim());
    });
    server.once('exit', (code) => reject(new Error(`fentry open ended with ${code}`)));
  });
}
