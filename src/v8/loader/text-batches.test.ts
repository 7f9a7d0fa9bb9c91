import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { CacheFolder } from '../../base/cache/cache-folder.js';
import { eachDamage } from '../../base/cache/testing/each-damage.js';
import { entryParts } from './cache-entry.js';
import { keyOfText, keyToHex } from './content-key.js';
import { TextBatches } from './text-batches.js';
import { TextCache } from './text-cache.js';

const TEXTS = Array.from({ length: 12 }, (_, i) => `function f${i}() { return ${i}; }`);
const ALONE = 8;
const payload = (text: string): Uint8Array => new Uint8Array(40).fill(text.length);
let folder = '';
beforeEach(() => {
  folder = join(fs.mkdtempSync(join(tmpdir(), 'fentry-batches-')), 'build');
});
afterEach(() => fs.rmSync(join(folder, '..'), { recursive: true }));

/** A cache as another process has it. */
const cache = (): TextCache => new TextCache(new CacheFolder(folder));
const read = (text: string, from = cache()): string | undefined => from.read(keyOfText(text, 1), () => true)?.text;
const store = (texts: readonly string[], into = cache()): void => {
  for (const text of texts) into.write(keyOfText(text, 1), payload(text), text);
};
const batches = (): string[] =>
  fs
    .readdirSync(folder)
    .filter((name) => name.endsWith('.texts'))
    .map((name) => join(folder, name));

test('the first entries of a thread have a file each, and all others one together', () => {
  const own = cache();
  store(TEXTS, own);
  assert.equal(fs.readdirSync(folder).length, ALONE + 1);
  assert.deepEqual(
    TEXTS.map((text) => read(text)),
    TEXTS,
  );
  assert.deepEqual(
    TEXTS.map((text) => read(text, own)),
    TEXTS,
  );
});

test('threads and processes have a file each', () => {
  store(TEXTS.slice(0, 10));
  const others = TEXTS.map((text) => `${text} // another`);
  store(others);
  assert.equal(batches().length, 2);
  assert.deepEqual(
    [...TEXTS.slice(0, 10), ...others].map((text) => read(text)),
    [...TEXTS.slice(0, 10), ...others],
  );
});

test('what a killed process has begun to store is not read, and what it stored before is', () => {
  store(TEXTS.slice(0, 10));
  const [file] = batches();
  const [last] = TEXTS.slice(-1) as [string];
  const whole = Buffer.concat(entryParts(keyOfText(last, 1), payload(last), last));
  for (const bytes of [1, 63, 64, 100, whole.length - 1]) {
    const before = fs.readFileSync(file!);
    fs.appendFileSync(file!, whole.subarray(0, bytes));
    assert.equal(read(last), undefined, `${bytes} bytes`);
    assert.deepEqual(
      TEXTS.slice(0, 10).map((text) => read(text)),
      TEXTS.slice(0, 10),
      `${bytes} bytes`,
    );
    fs.writeFileSync(file!, before);
  }
});

test('an entry that is damaged at any byte, or cut at any, is not used', () => {
  store(TEXTS.slice(0, 10));
  eachDamage(batches()[0]!, (damage) => {
    const [first, second] = TEXTS.slice(8, 10).map((text) => read(text)) as [string, string];
    assert.ok(first === TEXTS[8] || first === undefined, damage);
    assert.ok(second === TEXTS[9] || second === undefined, damage);
    assert.ok(first === undefined || second === undefined, damage);
  });
});

test('an entry that is stored again has a file of its own, which counts', () => {
  store(TEXTS);
  const [last] = TEXTS.slice(-1) as [string];
  const key = keyOfText(last, 1);
  cache().write(key, payload('other'), last);
  assert.ok(fs.existsSync(join(folder, keyToHex(key))));
  assert.deepEqual(cache().read(key, () => true)?.payload, payload('other'));
});

test('there are no more such files than a first start can look into', () => {
  for (let process = 0; process < 20; process++) store(TEXTS.slice(0, 9).map((text) => `${text} // ${process}`));
  assert.equal(batches().length, 16);
  assert.equal(read(`${TEXTS[8]} // 19`), `${TEXTS[8]} // 19`);
});

test('a file that another user could have written, and a link to one, are not read', () => {
  store(TEXTS.slice(0, 9));
  const [file] = batches() as [string];
  fs.chmodSync(file, 0o666);
  assert.equal(read(TEXTS[8]!), undefined);
  fs.chmodSync(file, 0o600);
  assert.equal(read(TEXTS[8]!), TEXTS[8]);
  fs.renameSync(file, join(folder, 'elsewhere'));
  fs.symlinkSync(join(folder, 'elsewhere'), file);
  assert.equal(read(TEXTS[8]!), undefined);
});

test('a file that cannot be written is an end of writing, and no error', () => {
  const own = new TextBatches(new CacheFolder(folder));
  const key = keyOfText('a', 1);
  assert.equal(own.append(key, entryParts(key, payload('a'), 'a')), true);
  fs.rmSync(folder, { recursive: true });
  fs.writeFileSync(folder, 'in the place of the folder');
  const other = keyOfText('b', 1);
  assert.equal(own.append(other, entryParts(other, payload('b'), 'b')), false);
  assert.equal(own.find(other), undefined);
});
