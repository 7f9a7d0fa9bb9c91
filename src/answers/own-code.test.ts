import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foldedLine, isOwnCode } from './own-code.js';

test('code of packages, of Node and of package managers is not the application’s', () => {
  const own = [{ file: '/srv/shop/cart.js' }, { package: '', file: '/srv/lib/a.js' }, {}, { file: 'evalmachine.<anonymous>' }];
  const others = [
    { package: 'express', file: '/srv/shop/node_modules/express/index.js' },
    { package: 'node' },
    { file: 'node:fs' },
    { file: '/usr/share/nodejs/npm/lib/cli.js' },
    { file: '/usr/share/yarn/lib/cli.js' },
    { file: '/srv/shop/.yarn/releases/yarn-4.0.0.cjs' },
    { file: '/srv/shop/.pnp.cjs' },
    { file: '/srv/shop/.pnp.loader.mjs' },
  ];
  assert.deepEqual(own.map(isOwnCode), [true, true, true, true]);
  assert.deepEqual(
    others.map(isOwnCode),
    others.map(() => false),
  );
});

test('what is folded is one line', () => {
  const line = (packages: readonly string[], functions: number, share?: number) => foldedLine({ packages, functions, share });
  assert.equal(line(['tsx', 'express'], 38, 0.12), 'tsx, express: 38 functions, 12 % of the time; --all shows them');
  assert.equal(line(['a', 'b', 'c', 'd', 'e'], 1234), 'a, b, c and 2 more: 1,234 functions; --all shows them');
  assert.equal(line(['a\u001b'], 1, 0.001), 'a^[: 1 function, less than 1 % of the time; --all shows it');
  assert.equal(line([], 2, 0), 'others: 2 functions, 0 % of the time; --all shows them');
});
