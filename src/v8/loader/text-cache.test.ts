import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { CacheFolder } from '../../base/cache/cache-folder.js';
import { eachDamage } from '../../base/cache/testing/each-damage.js';
import { keyOfText, keyToHex } from './content-key.js';
import { TextCache } from './text-cache.js';

const key = keyOfText('source', 1);
const text = 'function f(){ return "é" }';
const payload = new Uint8Array(1000).map((_, i) => i * 7);
let folder = '';
beforeEach(() => {
  folder = join(fs.mkdtempSync(join(tmpdir(), 'fentry-cache-')), 'build');
});
afterEach(() => fs.rmSync(join(folder, '..'), { recursive: true }));
const read = (cache = new TextCache(new CacheFolder(folder))) => {
  const entry = cache.read(key, () => true);
  return entry && { payload: entry.payload, text: entry.text };
};
const entryFile = () => join(folder, keyToHex(key));

test('an entry can be read, also by another process', () => {
  assert.equal(read(), undefined);
  new TextCache(new CacheFolder(folder)).write(key, payload, text);
  assert.deepEqual(read(), { payload, text });
});

test('an entry that is damaged at any byte, or cut at any, is not used', () => {
  new TextCache(new CacheFolder(folder)).write(key, payload, text);
  eachDamage(entryFile(), (damage) => assert.equal(read(), undefined, damage));
});

test('an entry under another key’s name is not used', () => {
  new TextCache(new CacheFolder(folder)).write(key, payload, text);
  const other = keyOfText('other', 1);
  fs.renameSync(entryFile(), join(folder, keyToHex(other)));
  assert.equal(
    new TextCache(new CacheFolder(folder)).read(other, () => true),
    undefined,
  );
});

test('another user’s entry is not used', (t) => {
  new TextCache(new CacheFolder(folder)).write(key, payload, text);
  try {
    fs.chownSync(entryFile(), 12345, 12345);
  } catch (error) {
    return t.skip(`no file can be given to another user: ${(error as Error).message}`);
  }
  assert.equal(read(), undefined);
});

test('a link in the place of an entry is not followed', () => {
  new TextCache(new CacheFolder(folder)).write(key, payload, text);
  fs.renameSync(entryFile(), join(folder, 'elsewhere'));
  fs.symlinkSync(join(folder, 'elsewhere'), entryFile());
  assert.equal(read(), undefined);
});

test('a disk that takes nothing is no error', () => {
  fs.mkdirSync(join(folder, '..'), { recursive: true });
  fs.writeFileSync(folder, 'a file where the folder should be');
  const cache = new TextCache(new CacheFolder(folder));
  cache.write(key, payload, text);
  assert.equal(read(cache), undefined);
});

test('two writers of one entry leave one whole entry', () => {
  const caches = [new TextCache(new CacheFolder(folder)), new TextCache(new CacheFolder(folder))];
  for (const cache of caches) cache.write(key, payload, text);
  assert.deepEqual(fs.readdirSync(folder), [keyToHex(key)]);
  assert.deepEqual(read(), { payload, text });
});

test('the text is read only when it is wanted', () => {
  new TextCache(new CacheFolder(folder)).write(key, payload, text);
  const entry = new TextCache(new CacheFolder(folder)).read(key, (seen) => seen.length === 0);
  assert.deepEqual([entry?.payload, entry?.text], [payload, undefined]);
});

test('a text beyond Latin-1 is read unchanged', () => {
  new TextCache(new CacheFolder(folder)).write(key, payload, 'let 日本 = "😀"');
  assert.equal(read()?.text, 'let 日本 = "😀"');
});

test('a FIFO in the place of an entry is not waited for', () => {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  execFileSync('mkfifo', [entryFile()]);
  assert.equal(read(), undefined);
});

test('an entry that others may write to is not used', () => {
  new TextCache(new CacheFolder(folder)).write(key, payload, text);
  fs.chmodSync(entryFile(), 0o622);
  assert.equal(read(), undefined);
});

for (const [place, mode] of [
  ['folder', 0o777],
  ['folder', 0o720],
  ['folder around it', 0o777],
] as const) {
  test(`a ${place} with mode 0${mode.toString(8)} is neither read nor written`, () => {
    new TextCache(new CacheFolder(folder)).write(key, payload, text);
    fs.chmodSync(place === 'folder' ? folder : join(folder, '..'), mode);
    assert.equal(read(), undefined);
    fs.rmSync(entryFile());
    new TextCache(new CacheFolder(folder)).write(key, payload, text);
    assert.deepEqual(fs.readdirSync(folder), []);
  });
}

test('an entry that claims to be huge takes no memory', () => {
  new TextCache(new CacheFolder(folder)).write(key, payload, text);
  const bad = fs.readFileSync(entryFile());
  bad.writeUInt32LE(0xffffffff, 4);
  fs.writeFileSync(entryFile(), bad);
  const before = process.memoryUsage().arrayBuffers;
  assert.equal(read(), undefined);
  assert.ok(process.memoryUsage().arrayBuffers - before < 1 << 20);
});
