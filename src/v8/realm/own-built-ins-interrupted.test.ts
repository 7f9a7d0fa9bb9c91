import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withOwnBuiltIns } from './own-built-ins.js';

test('an interrupt while built-ins are replaced, or put back, has V8’s own', () => {
  const { JSON: json, Math: math } = globalThis;
  const { defineProperty } = Reflect;
  const replaced = (): never => {
    throw new Error('replaced');
  };
  const originals = [
    [Array.prototype, 'push', Array.prototype.push],
    [math, 'trunc', Math.trunc],
    [json, 'stringify', JSON.stringify],
  ] as const;
  const areReplaced = (): readonly boolean[] => [Array.prototype.push, Math.trunc, JSON.stringify].map((one) => one === replaced);
  const put = (by?: unknown): void => {
    for (const [holder, key, value] of originals)
      defineProperty(holder, key, { value: by ?? value, writable: true, configurable: true });
  };
  const interrupts: (readonly boolean[])[] = [];
  let isInterrupted = false;
  // Those of Math are put between those of Array and of JSON.
  globalThis.Math = new Proxy(math, {
    defineProperty(target, key, descriptor) {
      if (!isInterrupted) {
        isInterrupted = true;
        const seen = withOwnBuiltIns(areReplaced);
        interrupts[interrupts.length] = seen;
        isInterrupted = false;
      }
      return defineProperty(target, key, descriptor);
    },
  });
  const none = [false, false, false];
  let during: readonly boolean[] = [];
  let after: readonly boolean[] = [];
  try {
    put(replaced);
    withOwnBuiltIns(() => {
      during = areReplaced();
    });
    after = areReplaced();
  } finally {
    put();
    globalThis.Math = math;
  }
  assert.deepEqual(interrupts, [none, none]);
  assert.deepEqual(during, none);
  assert.deepEqual(after, [true, true, true]);
});
