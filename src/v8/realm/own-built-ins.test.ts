import assert from 'node:assert/strict';
import { test } from 'node:test';
import { orWithOwnBuiltIns, withOwnBuiltIns } from './own-built-ins.js';

/** Objects with built-ins. */
const HOLDERS: readonly object[] = [
  ...[Array, Map, Set, String, RegExp, Number, BigInt, Object, Promise, Symbol, Date].flatMap((one) => [one, one.prototype]),
  ...[Math, Atomics, JSON, Reflect, Function.prototype, WeakMap.prototype, WeakRef.prototype, DataView.prototype],
  ...[[], new Map(), new Set(), ''].map((one) => Object.getPrototypeOf(one[Symbol.iterator]())),
  ...[Object.getPrototypeOf(Int32Array), Object.getPrototypeOf(Int32Array.prototype)],
];
const descriptors = () => HOLDERS.map((holder) => Object.getOwnPropertyDescriptors(holder));

test('where the program has replaced nothing, nothing is put in its place', () => {
  const before = descriptors();
  const during = withOwnBuiltIns(descriptors);
  // Each by itself: Node 24 and later find the lists unequal to themselves.
  for (const [i, one] of before.entries()) {
    assert.deepEqual(Reflect.ownKeys(during[i]!), Reflect.ownKeys(one));
    for (const key of Reflect.ownKeys(one)) assert.deepEqual(Reflect.get(during[i]!, key), Reflect.get(one, key), String(key));
  }
});

/** Puts something in the place of built-ins, in a program that then has `during` run by fentry; and puts them back. */
function replaced(holder: object, key: PropertyKey, by: PropertyDescriptor | undefined, during: () => void): void {
  const original = Object.getOwnPropertyDescriptor(holder, key)!;
  try {
    if (by === undefined) Reflect.deleteProperty(holder, key);
    else Object.defineProperty(holder, key, by);
    during();
  } finally {
    Object.defineProperty(holder, key, original);
  }
}

const thrower = (): never => {
  throw new Error('replaced');
};

test('what the program has replaced is V8’s own while fentry works, and then the program’s again', () => {
  const { getOwnPropertyDescriptor } = Object;
  const { push } = Array.prototype;
  const values: number[] = [];
  const work = (): number => {
    for (const one of [1, 2]) values.push(one);
    return values.length;
  };
  const byMethod = { value: thrower, writable: true, enumerable: true, configurable: true };
  let during = 0;
  let after: unknown;
  replaced(Array.prototype, 'push', byMethod, () => {
    during = withOwnBuiltIns(work);
    after = getOwnPropertyDescriptor(Array.prototype, 'push');
  });
  assert.equal(during, 2);
  assert.deepEqual(after, byMethod);
  replaced(Array.prototype, Symbol.iterator, { get: thrower, configurable: true }, () => {
    during = orWithOwnBuiltIns(work);
    after = getOwnPropertyDescriptor(Array.prototype, Symbol.iterator);
  });
  assert.equal(during, 4);
  assert.equal((after as PropertyDescriptor | undefined)?.get, thrower);
  replaced(Array.prototype, 'push', undefined, () => {
    during = withOwnBuiltIns(work);
    after = getOwnPropertyDescriptor(Array.prototype, 'push');
  });
  assert.equal(during, 6);
  assert.equal(after, undefined);
  assert.equal(Array.prototype.push, push);
});

test('what fentry’s work throws is thrown, and the program’s built-ins are there again', () => {
  let after: unknown;
  const error = new Error('own');
  let thrown: unknown;
  replaced(Map.prototype, 'get', { value: thrower, writable: true, configurable: true }, () => {
    try {
      withOwnBuiltIns(() => {
        throw error;
      });
    } catch (one) {
      thrown = one;
    }
    after = Map.prototype.get;
  });
  assert.equal(thrown, error);
  assert.equal(after, thrower);
});
