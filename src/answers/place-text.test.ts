import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placeText, shortPlaceText } from './place-text.js';

const CART = { file: '/srv/shop/src/cart.ts', line: 12, column: 5 };

test('a place in the application’s folder is relative to it', () => {
  assert.equal(placeText(CART, { folder: '/srv/shop' }), 'src/cart.ts:12');
  assert.equal(placeText(CART, { folder: '/srv/shop/', columns: true }), 'src/cart.ts:12:5');
  assert.equal(placeText(CART, { folder: '/srv/sho' }), '/srv/shop/src/cart.ts:12');
  assert.equal(placeText(CART, { folder: '/' }), '/srv/shop/src/cart.ts:12');
  assert.equal(placeText(CART), '/srv/shop/src/cart.ts:12');
});

test('a place without a line, or of no file, is what is known', () => {
  assert.equal(placeText({ file: 'node:fs', line: 7, column: 1 }, { folder: '/srv', linkHost: 'box' }), 'node:fs:7');
  assert.equal(placeText({ file: '/lib/libc.so.6', line: 0, column: 0 }), '/lib/libc.so.6');
});

test('on a terminal it is a link to the line of the file on this machine', () => {
  assert.equal(
    placeText({ ...CART, file: '/srv/shop/my cart#1%.ts' }, { folder: '/srv/shop', linkHost: 'box' }),
    '\u001b]8;;file://box/srv/shop/my%20cart%231%25.ts#12\u001b\\my cart#1%.ts:12\u001b]8;;\u001b\\',
  );
});

test('a name that would command a terminal is shown, and its link is closed', () => {
  const file = '/srv/\u001b]0;mine\u0007\u202e\nx\u009b.ts';
  assert.equal(placeText({ ...CART, file }, { folder: '/srv' }), '^[]0;mine^G<U+202E>_xM-^[.ts:12');
  const link = placeText({ ...CART, file }, { folder: '/srv', linkHost: 'b\u001box' });
  assert.match(link, /^\u001b\]8;;file:\/\/box\/[!-~]*#12\u001b\\\^\[\]0;mine\^G<U\+202E>_xM-\^\[\.ts:12\u001b\]8;;\u001b\\$/);
});

test('a place in a table loses the folders before its package, or all but the last ones', () => {
  for (const [text, short] of [
    ['src/cart.ts:12', 'src/cart.ts:12'],
    ['node_modules/express/lib/router.js:12', 'node_modules/express/lib/router.js:12'],
    ['/srv/other/node_modules/express/lib/router.js:12', 'express/lib/router.js:12'],
    ['/usr/lib/node_modules/typescript/node_modules/@a/b/i.js:3', '@a/b/i.js:3'],
    ['/usr/lib/x86_64-linux-gnu/libc.so.6', '/usr/lib/x86_64-linux-gnu/libc.so.6'],
    ['/home/me/work/other/src/deep/file.ts:7', '…/src/deep/file.ts:7'],
    ['node:internal/fs/promises/a/b:12', 'node:internal/fs/promises/a/b:12'],
    ['evalmachine.<anonymous>', 'evalmachine.<anonymous>'],
  ] as const)
    assert.equal(shortPlaceText(text), short);
});
