import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { evictOldest } from './cache-eviction.js';

const DAY = 24 * 3600;
let cache = '';
let folder = '';
beforeEach(() => {
  cache = fs.mkdtempSync(join(tmpdir(), 'fentry-cache-'));
  folder = join(cache, '5cb5-mfx1a2b3.4');
  fs.mkdirSync(folder);
});
afterEach(() => fs.rmSync(cache, { recursive: true }));
const put = (name: string, daysAgo: number) => {
  fs.writeFileSync(join(folder, name), 'x'.repeat(1000));
  const time = Date.now() / 1000 - daysAgo * DAY;
  fs.utimesSync(join(folder, name), time, time);
};

test('the oldest entries go, until half of what may be there is left', () => {
  const entries = { newest: 1, oldest: 9, older: 7, newer: 3 };
  for (const [name, daysAgo] of Object.entries(entries)) put(name, daysAgo);
  evictOldest(folder, 4000);
  assert.deepEqual(fs.readdirSync(folder).sort(), Object.keys(entries).sort());
  put('old', 5);
  evictOldest(folder, 4000);
  assert.deepEqual(fs.readdirSync(folder).sort(), ['newer', 'newest']);
});

test('folders of builds without a write for a month are removed, and nothing else', () => {
  for (const name of ['4ab2-mfw0', '0.1.0-4ab2-mfw0', 'photos', '0.2.0-4ab3-mfw1']) fs.mkdirSync(join(cache, name));
  const old = Date.now() / 1000 - 31 * DAY;
  for (const name of ['4ab2-mfw0', '0.1.0-4ab2-mfw0', 'photos']) fs.utimesSync(join(cache, name), old, old);
  evictOldest(folder);
  assert.deepEqual(fs.readdirSync(cache).sort(), ['0.2.0-4ab3-mfw1', '5cb5-mfx1a2b3.4', 'photos']);
});
