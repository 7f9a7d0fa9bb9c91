import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { CacheFolder } from '../../base/cache/cache-folder.js';
import { eachDamage } from '../../base/cache/testing/each-damage.js';
import { bundleCode, storedCode } from './bundle-code.js';

const BUNDLE = 'module.exports = { area(w, h) { return w * h } };';
const require = (): never => assert.fail('requires nothing');
let folder = '';
beforeEach(() => {
  folder = fs.mkdtempSync(join(tmpdir(), 'fentry-bundle-code-'));
  fs.writeFileSync(join(folder, 'bundle.cjs'), BUNDLE);
});
afterEach(() => fs.rmSync(folder, { recursive: true }));

const cache = () => join(folder, 'cache');
/** Loads the bundle, and stores V8's code of it where that was missing. @returns whether it was */
const load = (): boolean => {
  const code = bundleCode(cache(), 'v8');
  const { area } = code.load(folder, 'bundle', require) as { area(w: number, h: number): number };
  assert.equal(area(6, 7), 42);
  const isMissing = code.isMissing();
  const into = new CacheFolder(cache());
  code.store((name, parts) => into.write(name, parts));
  return isMissing;
};
const entry = () => join(cache(), fs.readdirSync(cache())[0]!);

test("V8's code of a bundle is stored once", () => {
  assert.deepEqual([load(), load(), load()], [true, false, false]);
});

test('a warm start stores it once more, with the functions that the first one did not call', () => {
  const bytes = [false, false, true, true].map((isWarm) => {
    const code = bundleCode(cache(), 'v8');
    const { area } = code.load(folder, 'bundle', require) as { area(w: number, h: number): number };
    if (isWarm) area(6, 7);
    const into = new CacheFolder(cache());
    code.store((name, parts) => into.write(name, parts), isWarm);
    return fs.statSync(entry());
  });
  const [first, cold, warm, again] = bytes as [fs.Stats, fs.Stats, fs.Stats, fs.Stats];
  assert.equal(cold.ino, first.ino);
  assert.ok(warm.size > cold.size, `${warm.size} bytes, ${cold.size} before`);
  assert.equal(again.ino, warm.ino);
});

const uid = process.geteuid?.() ?? 0;

test('damage at any byte is noticed, and so is a cut at any', () => {
  load();
  assert.ok(storedCode(entry(), uid));
  eachDamage(entry(), (damage) => assert.equal(storedCode(entry(), uid), undefined, damage));
});

test('a damaged entry is not run: the bundle is compiled, and the entry written anew', () => {
  load();
  for (const part of [0, 0.3, 0.499, 0.5, 0.7, 0.999]) {
    const damaged = fs.readFileSync(entry());
    damaged[Math.floor(part * damaged.length)]! ^= 0xff;
    fs.writeFileSync(entry(), damaged);
    assert.deepEqual([load(), load()], [true, false], `flipped at ${part}`);
    fs.truncateSync(entry(), Math.floor(part * fs.statSync(entry()).size));
    assert.deepEqual([load(), load()], [true, false], `cut at ${part}`);
  }
});

test('so is one of zeros, of any length, and one whose copies lack code, text or both', () => {
  load();
  const good = fs.readFileSync(entry());
  const half = good.subarray(0, good.length / 2);
  const twice = (copy: Buffer): Buffer => Buffer.concat([copy, copy]);
  const withWords = (...words: number[]): Buffer => {
    const copy = Buffer.from(half);
    for (const [i, word] of words.entries()) copy.writeUInt32LE(word, 4 + i * 4);
    return copy;
  };
  const [code, text] = [half.readUInt32LE(4), half.readUInt32LE(8)];
  const damaged = {
    ...Object.fromEntries([0, 2, 8, 16, 32, 64, good.length].map((bytes) => [`${bytes} zeros`, Buffer.alloc(bytes)])),
    'no code': twice(withWords(0, code + text)),
    'no text': twice(withWords(code + text, 0)),
    'no content': twice(Buffer.from(withWords(0, 0).subarray(0, 16))),
    'more than there is': twice(withWords(0xffff_fff0, text)),
    'less than there is': twice(withWords(code, text - 20)),
    'a longer one': Buffer.concat([good, Buffer.alloc(16)]),
    'a copy': Buffer.from(half),
    'three copies': Buffer.concat([good, half]),
    text: Buffer.from('x'.repeat(good.length)),
  };
  for (const [name, bytes] of Object.entries(damaged)) {
    fs.writeFileSync(entry(), bytes);
    assert.deepEqual([load(), load()], [true, false], name);
  }
});

test('a file that claims to be huge is not read', () => {
  load();
  fs.truncateSync(entry(), 2 ** 40);
  assert.deepEqual([load(), load()], [true, false]);
});

test('what cannot be read in the place of an entry is no error', () => {
  load();
  const path = entry();
  fs.rmSync(path);
  fs.mkdirSync(path);
  assert.deepEqual([load(), load()], [true, true]);
});
