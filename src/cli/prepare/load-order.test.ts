import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadOrder } from './load-order.js';

const files = (required: Record<string, string>) =>
  Object.entries(required).map(([path, others]) => ({ path, required: others.split(' ') }));

test('a file is followed by what it asks for, in the order of its text', () => {
  const order = loadOrder(files({ a: 'c', b: '', c: '', 'main.js': 'z b a', z: 'c' }));
  assert.deepEqual(order, ['main.js', 'z', 'c', 'b', 'a']);
});

test('files that ask for each other or themselves, and for what is not there, come once', () => {
  assert.deepEqual(loadOrder(files({ a: 'b gone', b: 'a b' })), ['a', 'b']);
});

test('a long chain of files is no deep call', () => {
  const chain = Array.from({ length: 100_000 }, (_, i) => ({ path: `${i}`, required: [`${i + 1}`] }));
  assert.deepEqual(
    loadOrder(chain.toReversed()),
    chain.map(({ path }) => path),
  );
});
