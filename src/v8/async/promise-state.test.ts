import assert from 'node:assert/strict';
import { test } from 'node:test';
import { promiseState } from './promise-state.js';

const settled = (promise: Promise<unknown>): Promise<unknown> => {
  promise.catch(() => {});
  return promise;
};

test('the state and the value of a promise are read, whatever the value is', () => {
  const object = { a: 1 };
  const error = new Error('no');
  const values = [
    object,
    [1],
    () => {},
    5,
    -0,
    Number.NaN,
    'a "b" \'c\' `d`\n\\ \u0001 é 😀',
    '',
    10n,
    null,
    undefined,
    true,
    false,
    error,
  ];
  for (const value of values) {
    assert.deepEqual(promiseState(Promise.resolve(value)), { status: 'fulfilled', value, isHidden: false });
    assert.deepEqual(promiseState(settled(Promise.reject(value))), { status: 'rejected', value, isHidden: false });
  }
  assert.equal(promiseState(Promise.resolve(object))!.value, object);
  assert.equal(String(promiseState(Promise.resolve(Symbol('s')))!.value), 'Symbol(s)');
  assert.equal(promiseState(new Promise(() => {}))!.status, 'pending');
});

test('no code of the program runs, and what only it could answer is not asked', async () => {
  const ran: string[] = [];
  const noted = (name: string) => (): undefined => void ran.push(name);
  const trap = new Proxy({}, { get: noted('get'), has: () => ran.push('has') > 0, ownKeys: () => [String(ran.push('keys'))] });
  class Odd {
    get [Symbol.toStringTag](): string {
      ran.push('tag');
      return 'odd';
    }
    [Symbol.for('nodejs.util.inspect.custom')](): string {
      ran.push('custom');
      return '';
    }
  }
  const odd = new Odd();
  assert.equal(promiseState(Promise.resolve(odd))!.value, odd);
  const rejected = settled(Promise.reject(trap));
  assert.deepEqual(promiseState(rejected), { status: 'rejected', value: undefined, isHidden: true });
  class Own extends Promise<number> {
    override get [Symbol.toStringTag](): string {
      ran.push('own');
      return 'own';
    }
  }
  assert.equal(promiseState(Own.resolve(1)), undefined);
  const tagged = Object.defineProperty(Promise.resolve(1), Symbol.toStringTag, { get: noted('tagged') });
  assert.equal(promiseState(tagged), undefined);
  assert.deepEqual(ran, []);
});

test('a rejection that nobody handles stays one', async () => {
  const unhandled: unknown[] = [];
  const listeners = process.listeners('unhandledRejection');
  process.removeAllListeners('unhandledRejection');
  process.on('unhandledRejection', (reason) => unhandled.push(reason));
  const promise = Promise.reject('nobody');
  assert.equal(promiseState(promise)!.value, 'nobody');
  await new Promise(setImmediate);
  process.removeAllListeners('unhandledRejection');
  for (const listener of listeners) process.on('unhandledRejection', listener);
  assert.deepEqual(unhandled, ['nobody']);
});
