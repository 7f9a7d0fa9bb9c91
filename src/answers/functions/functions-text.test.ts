import assert from 'node:assert/strict';
import { test } from 'node:test';
import { functionsText, listedFunction } from './functions-text.js';

test('a line of function_places is a function, whatever its file is called', () => {
  assert.deepEqual(listedFunction('app.get/items/{id}@12 [@shop/web] /srv/shop/a [x] b:1:2.ts:12:5'), {
    name: 'app.get/items/{id}@12',
    place: { file: '/srv/shop/a [x] b:1:2.ts', line: 12, column: 5 },
    package: '@shop/web',
    isOwn: false,
  });
  assert.deepEqual(listedFunction('handle /srv/\\012x.ts:1:1'), {
    name: 'handle',
    place: { file: '/srv/\nx.ts', line: 1, column: 1 },
    isOwn: true,
  });
  assert.deepEqual(listedFunction('handle [express]'), { name: 'handle', package: 'express', isOwn: false });
  assert.equal(listedFunction(''), undefined);
});

test('functions have their places in a column', () => {
  const functions = ['handle /srv/shop/src/a.ts:1:2', 'next [express] /srv/shop/node_modules/e.js:3:4', 'old'].map(
    (line) => listedFunction(line)!,
  );
  assert.deepEqual(functionsText({ answer: 'functions', version: 1, pid: 1, application: '/srv/shop', functions }, {}), [
    'handle          src/a.ts:1',
    'next [express]  node_modules/e.js:3',
    'old',
  ]);
});
