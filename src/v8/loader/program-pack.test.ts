import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import vm from 'node:vm';
import { CacheFolder } from '../../base/cache/cache-folder.js';
import { keyOfText } from './content-key.js';
import { encodeEntry } from './entry-codec.js';
import type { ReadText } from './linker.js';
import type { CompiledText, ModuleFunction } from './module-scripts.js';
import { ProgramPack } from './program-pack.js';
import { TextCache } from './text-cache.js';

let folder = '';
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'fentry-pack-')), 'build');
});
afterEach(() => rmSync(join(folder, '..'), { recursive: true }));

const LARGE = 600_000;
/** The texts of a program, which the cache has; the last is too large to be stored while the program runs. */
const TEXTS = [40, 41, LARGE].map((length, i) => `(function (exports) { return ${i} /*${'x'.repeat(length)}*/ })`);

const start = () => {
  const files = new CacheFolder(folder);
  const cache = new TextCache(files);
  const pack = new ProgramPack(files, cache, '');
  const load = (source: string): ReadText => {
    const key = keyOfText(source, 1);
    const placeKey = keyOfText(source, 2);
    const edits = new Uint8Array(0);
    const entry = { prefix: '$f', sourceMappingURL: '', functionCount: 1, firstFunction: 7, mayImport: false, mentions: 0 };
    if (cache.read(key, () => false) === undefined)
      cache.write(key, encodeEntry({ ...entry, edits, functions: new Uint8Array(8) }), source);
    const packed = pack.pack.find(placeKey, () => true);
    return { key, placeKey, functionCount: 1, firstFunction: 7, packed, mayImport: false, isNew: false };
  };
  const compile = (source: string): void => {
    const read = load(source);
    pack.seen(read);
    const script = new vm.Script(source);
    const made: CompiledText = { script, run: script.runInThisContext() as ModuleFunction };
    pack.compiled(read, made, read.packed?.code !== undefined);
  };
  /** Which texts the stored pack has, and whether it has code of them. */
  const stored = () => {
    const next = new ProgramPack(files, cache, '').pack;
    return TEXTS.map((source) => next.find(keyOfText(source, 2), () => true)?.code !== undefined);
  };
  return { pack, compile, stored };
};

/** Makes the pack an old one, which may be replaced. */
const age = (): void => {
  for (const name of readdirSync(folder)) if (name.endsWith('.pack')) utimesSync(join(folder, name), 1, 1);
};

test('what runs on is stored without its large texts, the rest when the program ends', () => {
  const { pack, compile, stored } = start();
  for (const source of TEXTS) compile(source);
  assert.equal(
    pack.storeSome(() => false),
    false,
  );
  assert.deepEqual(stored(), [true, true, false]);
  pack.store();
  assert.deepEqual(stored(), [true, true, true]);
});

test('it is stored in parts, with what is loaded meanwhile', () => {
  const { pack, compile, stored } = start();
  compile(TEXTS[0]!);
  const turns = [false, true, false];
  assert.equal(
    pack.storeSome(() => true),
    true,
  );
  compile(TEXTS[1]!);
  while (pack.storeSome(() => turns.shift() === true));
  assert.deepEqual(stored(), [true, true, false]);
});

test('code that is gone leaves its text out, so that the next start has it again', () => {
  const first = start();
  first.compile(TEXTS[0]!);
  first.pack.store();
  // Too soon for another pack, for which nothing is kept.
  const second = start();
  for (const source of TEXTS) second.compile(source);
  second.pack.storeSome(() => false);
  age();
  const third = start();
  third.compile(TEXTS[0]!);
  third.compile(TEXTS[1]!);
  third.pack.store();
  assert.deepEqual(third.stored(), [true, true, false]);
});
