import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type LoadedModule, moduleImporters } from './module-importers.js';

const module = (file: string, imports: readonly string[] = [], more: Partial<LoadedModule> = {}): LoadedModule => ({
  file,
  package: '',
  imports,
  ...more,
});

/** `part.mjs <- index.mjs` for each module that has an importer. */
const importers = (...modules: LoadedModule[]) =>
  Array.from(moduleImporters(modules), ([file, importer]) => `${file} <- ${importer}`);

test('the first module that imports another one is its importer', () => {
  assert.deepEqual(
    importers(
      module('/app/cli.mjs', ['./lib/index.mjs', 'node:fs']),
      module('/app/lib/index.mjs', ['./a.mjs', './b.mjs']),
      module('/app/lib/a.mjs', ['./b.mjs']),
      module('/app/lib/b.mjs'),
    ),
    ['/app/lib/index.mjs <- /app/cli.mjs', '/app/lib/a.mjs <- /app/lib/index.mjs', '/app/lib/b.mjs <- /app/lib/index.mjs'],
  );
});

test('what was required says itself who required it', () => {
  assert.deepEqual(importers(module('/app/a.js'), module('/app/b.js', [], { importer: '/app/a.js' })), [
    '/app/b.js <- /app/a.js',
  ]);
});

test('a circle of imports has a beginning', () => {
  assert.deepEqual(importers(module('/a.mjs', ['./b.mjs']), module('/b.mjs', ['./a.mjs'])), ['/b.mjs <- /a.mjs']);
});

test('names lead to files with other endings, to folders and to packages', () => {
  const lib = { package: '@x/lib' };
  assert.deepEqual(
    importers(
      module('/app/a.ts', ['./b.js', './c', './d', '@x/lib/part', 'file:///app/e%20f.mjs', './g.mjs?v=1']),
      module('/app/b.ts'),
      module('/app/c.ts'),
      module('/app/d/index.ts'),
      module('/app/node_modules/@x/lib/main.js', [], lib),
      module('/app/node_modules/@x/lib/other.js', [], lib),
      module('/app/e f.mjs'),
      module('/app/g.mjs'),
    ).map((line) => line.split(' <-')[0]),
    ['/app/b.ts', '/app/c.ts', '/app/d/index.ts', '/app/node_modules/@x/lib/main.js', '/app/e f.mjs', '/app/g.mjs'],
  );
});

test('names that lead nowhere are no harm', () => {
  const names = [
    '',
    '.',
    '..',
    '/',
    '//',
    'file:',
    'file://host/x',
    './%',
    './%00',
    '#inner',
    '@',
    'node:fs',
    'data:text/javascript,1',
  ];
  assert.deepEqual(importers(module('/a.mjs', names), module('evalmachine.<anonymous>', ['./a.mjs']), module('/b.mjs')), []);
});
