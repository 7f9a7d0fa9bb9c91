import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SymbolPlaceLines, SymbolPlaces } from './symbol-places.js';

const CART = '/srv/shop/cart.ts';

test('places of symbols are written and read; a file is named once', () => {
  const lines = new SymbolPlaceLines();
  const text = [
    lines.folder('/srv/shop'),
    lines.symbol(-0x7f000000, { file: CART, line: 12, column: 5 }),
    lines.symbol(-0x7effffc0, { file: CART, line: 20, column: 1 }),
    lines.symbol(0x4000, { file: 'node:fs', line: 7, column: 3 }),
  ].join('');
  assert.equal(
    text,
    'folder /srv/shop\nffffffff81000000 /srv/shop/cart.ts:12:5\nffffffff81000040 :20:1\n0000000000004000 node:fs:7:3\n',
  );
  const places = new SymbolPlaces(text);
  assert.deepEqual([places.folders, places.size], [['/srv/shop'], 3]);
  assert.deepEqual(places.at(-0x7effffc0), { file: CART, line: 20, column: 1 });
  assert.deepEqual(places.at(0x4000), { file: 'node:fs', line: 7, column: 3 });
  assert.deepEqual([places.at(-0x7effffbf), places.at(0), places.at(0x4001)], [undefined, undefined, undefined]);
});

test('names of files that break lines, and what looks like a line, are themselves', () => {
  for (const file of [
    '/a\nffffffff81000000 /b:1:1',
    ':3:4',
    'c:\\shop\\cart.js',
    '/tab\t\u001b[31m',
    '/a b:7',
    '/\u202e\u2028x',
  ]) {
    const lines = new SymbolPlaceLines();
    const text = lines.symbol(16, { file, line: 1, column: 2 }) + lines.symbol(32, { file, line: 3, column: 4 });
    assert.equal(text.split('\n').length, 3);
    const places = new SymbolPlaces(text);
    assert.deepEqual(places.at(16), { file, line: 1, column: 2 });
    assert.deepEqual(places.at(32), { file, line: 3, column: 4 });
  }
  const [nameless, endless] = ['', `data:text/javascript,${'x'.repeat(100_000)}`].map((file) =>
    new SymbolPlaces(new SymbolPlaceLines().symbol(16, { file, line: 1, column: 2 })).at(16),
  );
  assert.deepEqual([nameless?.file, endless?.file.length], ['<anonymous>', 4096]);
});

test('what is no line is left out', () => {
  const text =
    'folder /a\n\nffffffff81000000\nffffffff81000000 x\nffffffff8100000 /a:1:2\n0000000000000010 /a:1:99999999999\n:1:2\n';
  assert.equal(new SymbolPlaces(`${text}0000000000000020 /a:1:2`).size, 1);
});

test('what loading a module took comes with it, or later', () => {
  const lines = new SymbolPlaceLines();
  const imported = { siteTime: 10, by: '/app/main.mjs' };
  const text =
    lines.symbol(4096, { file: '/app/a.js', line: 1, column: 1 }) +
    lines.module(4096, imported) +
    lines.module(8192, { siteTime: 5, readTime: 7 }) +
    lines.loaded(4096, { ...imported, siteTime: 30, linkedAt: 123 });
  const places = new SymbolPlaces(text);
  assert.deepEqual(places.imported(4096), { by: '/app/main.mjs', siteTime: 30, linkedAt: 123 });
  assert.deepEqual(places.imported(8192), { siteTime: 5, readTime: 7 });
  assert.equal(places.size, 1);
});

test('where addresses of stacks are comes besides, and is no place of a symbol', () => {
  const lines = new SymbolPlaceLines();
  const text = [
    lines.symbol(4096, { file: CART, line: 12, column: 5 }),
    lines.inStack(4100, { file: CART, line: 14, column: 3 }),
    lines.inStack(4120, { file: CART, line: 15, column: 0 }),
    lines.inStack(8200, { file: '/a b\n:1:2', line: 7, column: 1 }),
    lines.symbol(8192, { file: CART, line: 20, column: 1 }),
  ].join('');
  const places = new SymbolPlaces(text);
  assert.equal(text.split('\n')[2], '0000000000001018 \\at 15:0');
  assert.deepEqual(
    [4100, 4120, 8200, 4096].map((address) => places.inStack(address)),
    [
      { file: CART, line: 14, column: 3 },
      { file: CART, line: 15, column: 0 },
      { file: '/a b\n:1:2', line: 7, column: 1 },
      undefined,
    ],
  );
  assert.deepEqual([places.size, places.at(8192)?.line, places.at(4100)], [2, 20, undefined]);
});
