import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { CacheFolder } from '../../base/cache/cache-folder.js';
import { eachDamage } from '../../base/cache/testing/each-damage.js';
import { keyOfText } from './content-key.js';
import { LinkTable } from './link-table.js';
import { PREPARED_PACK, PreparedPack, packParts, type TextToPrepare } from './prepared-pack.js';
import { TextCache } from './text-cache.js';

const TEXTS: readonly TextToPrepare[] = ['one', 'two', 'three'].map((name, i) => ({
  placeKey: keyOfText(`${name} at its place`, 0),
  key: keyOfText(name, 1),
  payload: new Uint8Array(4 * (i + 1)).fill(i),
  text: i === 1 ? 'let 日本 = 1' : `function é${i}(){}`,
  code: i === 0 ? Uint8Array.of(1, 2, 3) : undefined,
  isCompiled: i === 0,
  firstFunction: 10 * i,
}));

const setUp = (t: { after(run: () => void): void }) => {
  const around = fs.mkdtempSync(join(tmpdir(), 'fentry-prepared-'));
  t.after(() => fs.rmSync(around, { recursive: true }));
  const file = join(around, PREPARED_PACK);
  fs.writeFileSync(file, Buffer.concat(packParts(TEXTS, 30)), { mode: 0o644 });
  return { file, around, open: () => PreparedPack.open(new CacheFolder(around, true)) };
};

const found = (pack: PreparedPack | undefined, { placeKey }: TextToPrepare, wantsCode = true) => {
  const text = pack?.find(placeKey, () => true, wantsCode);
  return text && { ...text, payload: Uint8Array.from(text.payload), code: text.code && Uint8Array.from(text.code) };
};

test('texts are found by their places with their code, and by their contents without', (t) => {
  const pack = setUp(t).open()!;
  assert.deepEqual([pack.size, pack.functions, pack.hasCode], [3, 30, true]);
  for (const text of TEXTS) {
    const { payload, text: source, code, isCompiled } = text;
    assert.deepEqual(found(pack, text), { payload, text: source, code, isCompiled });
    assert.deepEqual(found(pack, text, false)?.code, undefined);
    assert.deepEqual(Uint8Array.from(pack.findContent(text.key)!), payload);
    assert.equal(pack.findContent(text.placeKey), undefined);
  }
  assert.equal(pack.find(TEXTS[0]!.placeKey, () => false, true)?.text, '');
  pack.refuseCode();
  assert.equal(found(pack, TEXTS[0]!)?.code, undefined);
});

test('texts that are asked for in their order are read together, and found in any order', (t) => {
  const texts = Array.from({ length: 60 }, (_, i) => ({
    ...TEXTS[0]!,
    placeKey: keyOfText(`${i} at its place`, 0),
    payload: new Uint8Array(4).fill(i),
    text: `function f${i}(){}`.padEnd(i % 20 === 19 ? 100_000 : 4000, ' '),
    code: Uint8Array.of(i, i + 1),
  }));
  const { file, around } = setUp(t);
  fs.writeFileSync(file, Buffer.concat(packParts(texts, 30)));
  let reads = 0;
  class CountedFolder extends CacheFolder {
    override read<T>(...[name, read]: Parameters<typeof CacheFolder.prototype.read<T>>): T | undefined {
      reads++;
      return super.read(name, read);
    }
  }
  const pack = PreparedPack.open(new CountedFolder(around, true));
  const findAll = (order: readonly TextToPrepare[]): void => {
    const all = order.map((text) => [text, found(pack, text)] as const);
    for (const [{ payload, text, code }, its] of all) assert.deepEqual(its, { payload, text, code, isCompiled: true });
  };
  findAll(texts);
  assert.ok(reads < 20, `${reads} reads of 60 texts`);
  findAll(texts.toReversed());
  findAll(texts.filter((_, i) => i % 7 === 3));
});

test('damage at any byte is noticed: a text is as it was, or without its code, or not there', (t) => {
  const { file, open } = setUp(t);
  const whole = TEXTS.map((text) => found(open(), text)!);
  eachDamage(file, () => {
    const pack = open();
    TEXTS.forEach((text, i) => {
      const now = found(pack, text);
      if (now === undefined || now.text === '') return;
      assert.deepEqual(now.code === undefined ? { ...now, code: whole[i]!.code } : now, whole[i]);
    });
  });
});

test('a pack is used if it is the user’s own or root’s and nobody else can write to it, and is never written to', (t) => {
  const { file, around, open } = setUp(t);
  fs.chmodSync(file, 0o664);
  assert.equal(open(), undefined);
  fs.chmodSync(file, 0o644);
  fs.chmodSync(around, 0o775);
  assert.equal(open(), undefined);
  fs.chmodSync(around, 0o755);
  assert.notEqual(open(), undefined);
  assert.equal(new CacheFolder(around, true).isWritable, false);
  if (process.geteuid?.() !== 0) return;
  fs.chownSync(file, 1234, 1234);
  assert.equal(open(), undefined);
});

test('its functions have the same numbers in every process, and no others have them', (t) => {
  const pack = setUp(t).open()!;
  const memory = LinkTable.create(pack);
  const [table, other] = [new LinkTable(memory), new LinkTable(memory)];
  assert.equal(table.isPreparedBy(pack), true);
  assert.equal(new LinkTable(LinkTable.create()).isPreparedBy(pack), false);
  const [, , three] = TEXTS;
  assert.equal(table.claim(keyOfText('another', 1), 5, 100).firstFunction, 30);
  assert.equal(table.claim(three!.placeKey, 5, 100, 20).firstFunction, 20);
  assert.equal(other.claim(three!.placeKey, 5, 100).firstFunction, 20);
  assert.equal(table.claim(keyOfText('a third', 1), 5, 100).firstFunction, 35);
});

test('a cache takes from it what it does not have at another place, and works without a folder', (t) => {
  const [one] = TEXTS;
  const cache = new TextCache(undefined, [setUp(t).open()!]);
  const entry = cache.read(one!.key, () => true);
  assert.deepEqual([Uint8Array.from(entry!.payload), entry!.text], [one!.payload, undefined]);
  cache.write(keyOfText('new', 1), new Uint8Array(4), 'new');
  assert.equal(
    cache.read(keyOfText('new', 1), () => true),
    undefined,
  );
});
