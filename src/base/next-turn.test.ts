import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { nextTurn } from './next-turn.js';

test('each caller gets a separate turn of the event loop, in the order of the calls', async () => {
  const log: string[] = [];
  const work = async (name: string): Promise<void> => {
    for (let piece = 1; piece <= 2; piece++) {
      await nextTurn();
      log.push(`${name}${piece}`);
    }
  };
  const all = Promise.all([work('a'), work('b')]);
  // Asked for last, and yet it need not wait for all of their work.
  await setImmediate();
  log.push('other');
  await all;
  assert.deepEqual(log, ['a1', 'other', 'b1', 'a2', 'b2']);
});
