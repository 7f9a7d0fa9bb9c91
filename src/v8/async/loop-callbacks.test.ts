import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLoopCallbacks } from './loop-callbacks.js';

test('a callback ends when it returns, and each nextTick and reaction behind it is one of its own', async () => {
  let now = 0;
  const source = createLoopCallbacks(() => now);
  const heard: string[] = [];
  let begin = 0;
  let kind = '';
  source.start({
    began(of, _context, at) {
      [kind, begin] = [of, at];
    },
    continued: () => assert.fail('a callback has no parts'),
    matters: () => true,
    ended: (at) => void heard.push(`${kind} ${at - begin}`),
  });
  await new Promise<void>((resolve) => {
    setTimeout(() => {
      now += 7;
      process.nextTick(() => {
        now += 20;
        void Promise.resolve().then(() => {
          now += 3;
          resolve();
        });
      });
    }, 1);
  });
  await new Promise(setImmediate);
  source.stop();
  now += 100;
  await new Promise(setImmediate);
  assert.deepEqual(
    heard.filter((one) => !one.endsWith(' 0')),
    ['Timeout 7', 'TickObject 20', 'PROMISE 3'],
  );
});
