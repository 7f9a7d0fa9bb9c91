import assert from 'node:assert/strict';
import { test } from 'node:test';
import { coverMethod, originalOf, replaceGetter, replaceMethod } from './lookalike.js';

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

test('a stand-in for a stand-in stands for the built-in', () => {
  const twice = (): number => 2;
  const holder = { twice };
  const standIn = (original: () => number) => (): number => original();
  const undo = [1, 2].map(() => replaceMethod<() => number>(holder, 'twice', standIn));
  assert.equal(originalOf(holder.twice), twice);
  undo.toReversed().forEach((one) => void one());
  assert.equal(holder.twice, twice);
});

test('the getter of a property, and a method that is inherited, are taken back whole', () => {
  const holder = Object.create({ inherited: () => 1 }, { got: { get: () => 1, configurable: true } }) as {
    got: number;
    inherited(): number;
  };
  const before = Object.getOwnPropertyDescriptors(holder);
  const undo = [
    replaceGetter(holder, 'got', (original) => () => (original() as number) + 1),
    coverMethod<() => number>(holder, 'inherited', (original) => () => original() + 1),
  ];
  assert.deepEqual([holder.got, holder.inherited()], [2, 2]);
  undo.forEach((one) => void one());
  assert.deepEqual(Object.getOwnPropertyDescriptors(holder), before);
  assert.deepEqual([holder.got, holder.inherited()], [1, 1]);
});
