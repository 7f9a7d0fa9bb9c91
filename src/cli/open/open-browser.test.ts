import assert from 'node:assert/strict';
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { temporaryFolder } from '../../output/trace-dat/testing/recording.js';
import { openBrowser } from './open-browser.js';

const LINK = 'http://127.0.0.1:4711/#secret';

test('the browser gets a private file that leads to the link: no command line has the token', async (t) => {
  const folder = temporaryFolder(t);
  const tool = join(folder, 'xdg-open');
  writeFileSync(
    tool,
    '#!/bin/sh\nprintf %s "$*" > "$XDG_RUNTIME_DIR/asked.part" && mv "$XDG_RUNTIME_DIR/asked.part" "$XDG_RUNTIME_DIR/asked"\n',
  );
  chmodSync(tool, 0o700);
  const env = { DISPLAY: ':0', PATH: `${folder}:${process.env['PATH']}`, XDG_RUNTIME_DIR: folder };
  const opened = await openBrowser(LINK, env);
  while (!existsSync(join(folder, 'asked'))) await sleep(10);
  const file = readFileSync(join(folder, 'asked'), 'utf8');
  assert.ok(!file.includes('secret'));
  assert.ok(readFileSync(file, 'utf8').includes(`content="0;url=${LINK}"`));
  assert.equal(statSync(file).mode & 0o077, 0);
  assert.equal(statSync(join(file, '..')).mode & 0o077, 0);
  opened?.[Symbol.dispose]();
  assert.equal(existsSync(file), false);
});

test('without a desktop, or what opens links there, nothing is opened and nothing is left', async (t) => {
  const folder = temporaryFolder(t);
  assert.equal(await openBrowser(LINK, { XDG_RUNTIME_DIR: folder }), undefined);
  assert.equal(await openBrowser(LINK, { WAYLAND_DISPLAY: 'wayland-0', PATH: folder, XDG_RUNTIME_DIR: folder }), undefined);
  assert.deepEqual(readdirSync(folder), []);
});
