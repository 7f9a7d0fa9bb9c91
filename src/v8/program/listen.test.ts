import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BroadcastChannel } from 'node:worker_threads';
import { listen } from './listen.js';

test('messages come in order, and no event is made for them', async () => {
  const sender = new BroadcastChannel('listen.test');
  const channel = new BroadcastChannel('listen.test');
  const events: unknown[] = [];
  channel.addEventListener('message', (event) => events.push(event));
  const messages = await new Promise((resolve) => {
    const got: number[] = [];
    listen<number>(channel, (message) => {
      got.push(message);
      if (got.length === 3) resolve(got);
    });
    for (const message of [1, 2, 3]) sender.postMessage(message);
  });
  sender.close();
  channel.close();
  assert.deepEqual(messages, [1, 2, 3]);
  assert.deepEqual(events, []);
});
