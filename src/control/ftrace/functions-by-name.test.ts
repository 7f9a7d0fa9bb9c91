import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FunctionsByName } from './functions-by-name.js';

const FUNCTIONS = ['', 'express', '', 'router', 'express'].map((module, n) => ({ n, module }));
const NAMES = ['serve', 'serve', 'close', 'handle', 'handle'];

const functions = (): FunctionsByName => {
  const byName = new FunctionsByName((n) => FUNCTIONS[n]!.module);
  NAMES.forEach((name, n) => {
    byName.add(name, n);
  });
  return byName;
};

test('a name is the application’s function, also if a package has one of that name', () => {
  assert.deepEqual(functions().find('serve', undefined), [0]);
  assert.deepEqual(functions().find('serve', 'express'), [1]);
});

test('if the application has none, it is that of any package', () => {
  assert.deepEqual(functions().find('handle', undefined), [3, 4]);
  assert.deepEqual(functions().find('handle', 'router'), [3]);
  assert.deepEqual(functions().find('close', 'router'), []);
  assert.deepEqual(functions().find('nothing', undefined), []);
});

test('those that are not meant do not count, also for the application', () => {
  assert.deepEqual(
    functions().find('serve', undefined, (n) => n !== 0),
    [1],
  );
});
