import assert from 'node:assert/strict';
import { test } from 'node:test';
import { v8CodeOf } from './v8-code.js';

const MAP = `7f10 20 Builtin:hot
7f20 1d JS:~hot /srv/shop.js:3:13
7f40 60 JS:^hot /srv/shop.js:3:13
7fa0 80 JS:*hot /srv/shop.js:3:13
8000 90 JS:*hot /srv/shop.js:3:13
8100 40 JS:+hot /srv/my shop.js:9:1
8200 40 JS:*hotter /srv/shop.js:5:1
82`;

test('the youngest code of each function and compiler', () => {
  assert.deepEqual(
    v8CodeOf(MAP, 'hot').map(({ compiler, place, address, size }) => [compiler, place, address, size]),
    [
      ['Sparkplug, which does not optimize', '/srv/shop.js:3:13', 0x7f40, 0x60],
      ['TurboFan', '/srv/shop.js:3:13', 0x8000, 0x90],
      ['Maglev', '/srv/my shop.js:9:1', 0x8100, 0x40],
    ],
  );
  assert.deepEqual(v8CodeOf(MAP, 'cold'), []);
});
