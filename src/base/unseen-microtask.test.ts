import assert from 'node:assert/strict';
import { createHook } from 'node:async_hooks';
import { test } from 'node:test';
import { promiseHooks } from 'node:v8';
import { unseenMicrotask } from './unseen-microtask.js';

test('it runs in its turn among the microtasks, once for each call', async () => {
  const ran: string[] = [];
  const queue = unseenMicrotask(() => void ran.push('unseen'));
  queueMicrotask(() => ran.push('before'));
  queue();
  queueMicrotask(() => ran.push('after'));
  queue();
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(ran, ['before', 'unseen', 'after', 'unseen']);
});

test('no hook sees it', async () => {
  const seen: string[] = [];
  const see = (what: string) => () => void seen.push(what);
  await new Promise<void>((resolve) => {
    const hook = createHook({ init: see('INIT'), before: see('BEFORE'), promiseResolve: see('RESOLVED') });
    let stop = (): void => {};
    const queue = unseenMicrotask(() => {
      seen.push('ran');
      hook.disable();
      stop();
    });
    setTimeout(() => {
      setTimeout(resolve);
      stop = promiseHooks.createHook({ init: see('init'), before: see('before'), settled: see('settled') }) as () => void;
      hook.enable();
      queue();
    });
  });
  assert.deepEqual(seen, ['ran']);
});

test('what a program makes of Promise changes nothing', async () => {
  const { then } = Promise.prototype;
  const { species } = Symbol;
  const before = Object.getOwnPropertyDescriptor(Promise, species)!;
  let ran = 0;
  const queue = unseenMicrotask(() => ran++);
  try {
    Reflect.set(Promise.prototype, 'then', () => assert.fail('called'));
    Object.defineProperty(Promise, species, { get: () => assert.fail('asked'), configurable: true });
    queue();
  } finally {
    Reflect.set(Promise.prototype, 'then', then);
    Object.defineProperty(Promise, species, before);
  }
  await null;
  assert.equal(ran, 1);
});
