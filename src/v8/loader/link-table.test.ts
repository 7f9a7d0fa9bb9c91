import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keyOfText } from './content-key.js';
import { LinkTable } from './link-table.js';

const key = (name: string) => keyOfText(name, 0);

test('texts get ranges one after the other', () => {
  const table = new LinkTable(LinkTable.create());
  assert.deepEqual(table.claim(key('a'), 10, 100), { firstFunction: 0, base: 0x81000000 });
  assert.deepEqual(table.claim(key('b'), 5, 50), { firstFunction: 10, base: 0x81000000 + 112 });
  assert.equal(table.functions, 15);
});

test('a second thread gets the range that the first one got', () => {
  const memory = LinkTable.create();
  const [main, worker] = [new LinkTable(memory), new LinkTable(memory)];
  const first = main.claim(key('a'), 10, 100);
  main.claim(key('b'), 10, 100);
  assert.deepEqual(worker.claim(key('a'), 10, 100), first);
  assert.equal(worker.functions, 20);
});

test('a thread that died while claiming delays no other: the text is linked a second time', () => {
  const memory = LinkTable.create();
  const words = new Int32Array(memory);
  for (let i = 4; i < words.length; i += 8) words[i] = 1;
  const table = new LinkTable(memory);
  assert.equal(table.claim(key('a'), 10, 100).firstFunction, 0);
  assert.equal(table.claim(key('a'), 10, 100).firstFunction, 10);
});

test('ten thousand texts stay apart', () => {
  const table = new LinkTable(LinkTable.create());
  const firsts = new Set<number>();
  for (let i = 0; i < 10_000; i++) firsts.add(table.claim(key(`file ${i}`), 1, 10).firstFunction);
  assert.equal(firsts.size, 10_000);
});

test('all threads see that a text is being instrumented, whatever comes of it', () => {
  const memory = LinkTable.create();
  const [one, other] = [new LinkTable(memory), new LinkTable(memory)];
  assert.equal(
    one.whileBusy(() => other.isBusy),
    true,
  );
  assert.throws(() =>
    one.whileBusy(() => {
      throw new Error('unparsed');
    }),
  );
  assert.equal(other.isBusy, false);
});
