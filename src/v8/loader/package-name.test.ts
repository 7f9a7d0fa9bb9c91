import assert from 'node:assert/strict';
import { test } from 'node:test';
import { packageNameOf, selectPackages } from './package-name.js';

test('a file belongs to the package under its nearest node_modules', () => {
  const files: [path: string, name: string][] = [
    ['/app/src/server.js', ''],
    ['/app/node_modules/express/lib/express.js', 'express'],
    ['/app/node_modules/@scope/tool/index.js', '@scope/tool'],
    ['/app/node_modules/a/node_modules/b/index.js', 'b'],
    ['/app/node_modules/.pnpm/express@5.1.0/node_modules/express/index.js', 'express'],
    ['/usr/lib/node_modules/typescript/bin/tsc', 'typescript'],
    ['/app/node_modules/loose.js', ''],
    ['/app/my_node_modules/x/y.js', ''],
  ];
  for (const [path, name] of files) assert.equal(packageNameOf(path), name, path);
});

test('instrument= names packages; app is the application', () => {
  const selects = selectPackages('app,express');
  assert.deepEqual(['', 'express', 'qs'].map(selects), [true, true, false]);
});

test('without instrument= every package is chosen', () => {
  assert.equal(selectPackages(undefined)('qs'), true);
  assert.equal(selectPackages('')('qs'), true);
});

test('a name that would split or turn round a line of a control file is one word', () => {
  assert.equal(packageNameOf('/a/node_modules/one\ntwo/x.js'), 'one_two');
  assert.equal(packageNameOf('/a/node_modules/@a b/\u2028c\u202ed]/x.js'), '@a_b/_c_d_');
  assert.equal(packageNameOf('/a/node_modules/é日本/x.js'), 'é日本');
});
