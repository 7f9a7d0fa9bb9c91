import assert from 'node:assert/strict';
import { test } from 'node:test';
import { originalOf, replaceMethod } from './lookalike.js';

test('a stand-in has the shape of what it replaces', () => {
  const holder = { map: Array.prototype.map as (this: unknown[], f: unknown) => unknown };
  const native = holder.map;
  replaceMethod(
    holder,
    'map',
    (original: typeof native) =>
      ({
        m(this: unknown[], f: unknown) {
          return original.call(this, f);
        },
      }).m,
  );
  assert.notEqual(holder.map, native);
  assert.deepEqual(Object.getOwnPropertyDescriptors(holder.map), Object.getOwnPropertyDescriptors(native));
  assert.equal(originalOf(holder.map), native);
  assert.equal('prototype' in holder.map, false);
});

test('a property that is missing, not a function or locked is not changed', () => {
  const holder = Object.freeze({ locked() {}, value: 1 });
  const { locked } = holder;
  for (const key of ['locked', 'value', 'missing']) replaceMethod(holder, key, () => assert.fail('called'));
  assert.equal(holder.locked, locked);
});
