import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { CacheFolder } from '../../base/cache/cache-folder.js';
import { eachDamage } from '../../base/cache/testing/each-damage.js';
import { keyOfText } from './content-key.js';
import { PackWriter, StartPack } from './start-pack.js';

const NAME = 'program.pack';
const one = keyOfText('one', 1);
const two = keyOfText('two', 1);
const TEXTS = [
  {
    key: one,
    payload: new Uint8Array(12).map((_, i) => i),
    text: 'function é(){}',
    code: Uint8Array.of(1, 2, 3),
    isCompiled: true,
  },
  { key: two, payload: new Uint8Array(4), text: 'let 日本 = 1', code: undefined, isCompiled: false },
];
const storePack = (to: CacheFolder, name: string, age: number, texts: typeof TEXTS): void => {
  const writer = new PackWriter();
  for (const { key, ...text } of texts) writer.add(key, text);
  writer.store(to, name, age);
};
let folder = '';
beforeEach(() => {
  folder = join(fs.mkdtempSync(join(tmpdir(), 'fentry-pack-')), 'build');
  storePack(new CacheFolder(folder), NAME, 1234, TEXTS);
});
afterEach(() => fs.rmSync(join(folder, '..'), { recursive: true }));
const file = () => join(folder, NAME);
const read = () => StartPack.read(new CacheFolder(folder), NAME);
const found = (pack: StartPack, key = one) => {
  const text = pack.find(key, () => true);
  return text && { ...text, code: text.code && Uint8Array.from(text.code) };
};

test('texts come back as they were stored', () => {
  const pack = read();
  assert.deepEqual([pack.size, pack.age], [2, 1234]);
  for (const { key, ...text } of TEXTS) assert.deepEqual(found(pack, key), text);
  assert.equal(
    pack.find(keyOfText('three', 1), () => true),
    undefined,
  );
  assert.equal(
    pack.find(one, (payload) => payload.length === 0),
    undefined,
  );
});

test('damage at any byte is noticed: of the pack, or of the text that has the byte', () => {
  const texts = TEXTS.map(({ key: _, ...text }) => text);
  eachDamage(file(), (damage) => {
    let damaged = 0;
    const pack = StartPack.read(new CacheFolder(folder), NAME, () => damaged++);
    const got = TEXTS.map(({ key }) => found(pack, key));
    if (pack.size === 0) return assert.deepEqual(got, [undefined, undefined], damage);
    assert.equal(damaged, 1, damage);
    const lost = got.indexOf(undefined);
    assert.deepEqual(got[1 - lost], texts[1 - lost], damage);
  });
});

test('a pack that is cut, or longer, is none', () => {
  const { length } = fs.readFileSync(file());
  fs.truncateSync(file(), length + 8);
  assert.equal(read().size, 0);
  fs.truncateSync(file(), length);
  assert.equal(read().size, 2);
  fs.truncateSync(file(), length - 1);
  assert.equal(read().size, 0);
});

test('nobody sees what is damaged', () => {
  const bad = fs.readFileSync(file());
  bad[bad.indexOf(TEXTS[0]!.payload.subarray(1))]! ^= 1;
  fs.writeFileSync(file(), bad);
  const wants = (payload: Uint8Array): never => assert.fail(`sees ${payload}`);
  assert.equal(read().find(one, wants), undefined);
});

test('a pack that others could write, a link and a FIFO are not read', () => {
  fs.chmodSync(file(), 0o620);
  assert.equal(read().size, 0);
  fs.chmodSync(file(), 0o600);
  fs.renameSync(file(), join(folder, 'other'));
  fs.symlinkSync('other', file());
  assert.equal(read().size, 0);
  fs.unlinkSync(file());
  execFileSync('mkfifo', [file()]);
  assert.equal(read().size, 0);
});

test('processes that store at the same time leave one whole pack', () => {
  const folders = [new CacheFolder(folder), new CacheFolder(folder)];
  for (let i = 0; i < 20; i++) storePack(folders[i % 2]!, NAME, i, i % 3 === 0 ? TEXTS : TEXTS.slice(1));
  assert.deepEqual([read().age, read().size], [19, 1]);
  assert.deepEqual(fs.readdirSync(folder), [NAME]);
});

test('a folder that cannot be written is left alone', () => {
  const place = join(folder, 'file');
  fs.writeFileSync(place, '');
  storePack(new CacheFolder(join(place, 'inside')), NAME, 1, TEXTS);
  assert.equal(StartPack.read(new CacheFolder(join(place, 'inside')), NAME).size, 0);
});
