import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, test } from 'node:test';
import { keyOfText, keyToHex } from './content-key.js';
import { TextCache } from './text-cache.js';

const key = keyOfText('source', 1);
const payload = new Uint8Array(1000).map((_, i) => i * 7);
let folder = '';
beforeEach(() => {
  folder = join(fs.mkdtempSync(join(tmpdir(), 'fentry-cache-')), 'build');
});
const entryFile = () => join(folder, keyToHex(key));

test('what was written is read, by another process too', () => {
  assert.equal(new TextCache(folder).read(key), undefined);
  new TextCache(folder).write(key, payload);
  assert.deepEqual(new TextCache(folder).read(key), payload);
});

test('an entry that is damaged at any byte is not used', () => {
  new TextCache(folder).write(key, payload);
  const good = fs.readFileSync(entryFile());
  for (let i = 0; i < good.length; i += 13) {
    const bad = Buffer.from(good);
    bad[i] = (bad[i] as number) ^ 0x10;
    fs.writeFileSync(entryFile(), bad);
    const unused = i >= 8 && i < 16;
    assert.equal(new TextCache(folder).read(key) === undefined, !unused, `byte ${i}`);
  }
});

test('an entry that is cut short at any length is not used', () => {
  new TextCache(folder).write(key, payload);
  const good = fs.readFileSync(entryFile());
  for (let length = 0; length < good.length; length += 37) {
    fs.writeFileSync(entryFile(), good.subarray(0, length));
    assert.equal(new TextCache(folder).read(key), undefined, `${length} bytes`);
  }
});

test('an entry under another key’s name is not used', () => {
  new TextCache(folder).write(key, payload);
  const other = keyOfText('other', 1);
  fs.renameSync(entryFile(), join(folder, keyToHex(other)));
  assert.equal(new TextCache(folder).read(other), undefined);
});

test('another user’s entry is not used', { skip: process.getuid?.() !== 0 && 'only root can give files away' }, () => {
  new TextCache(folder).write(key, payload);
  fs.chownSync(entryFile(), 12345, 12345);
  assert.equal(new TextCache(folder).read(key), undefined);
});

test('a link in the place of an entry is not followed', () => {
  new TextCache(folder).write(key, payload);
  fs.renameSync(entryFile(), join(folder, 'elsewhere'));
  fs.symlinkSync(join(folder, 'elsewhere'), entryFile());
  assert.equal(new TextCache(folder).read(key), undefined);
});

test('a disk that takes nothing is no error', () => {
  fs.mkdirSync(join(folder, '..'), { recursive: true });
  fs.writeFileSync(folder, 'a file where the folder should be');
  const cache = new TextCache(folder);
  cache.write(key, payload);
  assert.equal(cache.read(key), undefined);
});

test('two writers of one entry leave one whole entry', () => {
  const caches = [new TextCache(folder), new TextCache(folder)];
  for (const cache of caches) cache.write(key, payload);
  assert.deepEqual(fs.readdirSync(folder), [keyToHex(key)]);
  assert.deepEqual(new TextCache(folder).read(key), payload);
});
