import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BroadcastChannel } from 'node:worker_threads';
import { CommandQueue, listen } from './thread-messages.js';

function obeyAll(queue: CommandQueue<{ readonly seq: number }>): number[] {
  const obeyed: number[] = [];
  for (let command = queue.next; command !== undefined; command = queue.next) {
    obeyed.push(command.seq);
    queue.take();
  }
  return obeyed;
}

test('commands are obeyed in the order in which they were sent, though an interrupt received later ones first', () => {
  const queue = new CommandQueue<{ readonly seq: number }>();
  queue.put({ seq: 1 });
  assert.deepEqual(obeyAll(queue), [1]);
  queue.put({ seq: 3 });
  queue.put({ seq: 4 });
  assert.deepEqual(obeyAll(queue), [], 'the second is still on its way');
  queue.put({ seq: 2 });
  assert.deepEqual(obeyAll(queue), [2, 3, 4]);
});

test('one that cannot be obeyed now stays the next', () => {
  const queue = new CommandQueue<{ readonly seq: number }>();
  queue.put({ seq: 1 });
  queue.put({ seq: 2 });
  assert.equal(queue.next?.seq, 1);
  assert.deepEqual(obeyAll(queue), [1, 2]);
});

test('a command that the event loop has not delivered before a later one is lost, and has its turn', () => {
  const queue = new CommandQueue<{ readonly seq: number }>();
  queue.deliver({ seq: 3 });
  assert.deepEqual(queue.next, { type: 'lost', seq: 1 });
  queue.take();
  queue.put({ seq: 1 });
  assert.deepEqual(queue.next, { type: 'lost', seq: 2 });
  assert.deepEqual(obeyAll(queue), [2, 3]);
});

test('without the event loop, one is lost if a message could not be read, unless another is on its way', () => {
  const queue = new CommandQueue<{ readonly seq: number }>();
  queue.unread();
  queue.put({ seq: 2 });
  queue.put({ seq: 4 });
  queue.received();
  assert.equal(queue.next, undefined, 'the first or the third');
  queue.deliver({ seq: 1 });
  assert.deepEqual(obeyAll(queue), [1, 2]);
  queue.received();
  assert.deepEqual(queue.next, { type: 'lost', seq: 3 });
  assert.deepEqual(obeyAll(queue), [3, 4]);
  queue.put({ seq: 6 });
  queue.received();
  assert.equal(queue.next, undefined, 'it is not lost twice');
});

test('messages come in order, and no event is made for them', async () => {
  const sender = new BroadcastChannel('listen.test');
  const channel = new BroadcastChannel('listen.test');
  const events: unknown[] = [];
  channel.addEventListener('message', (event) => events.push(event));
  const messages = await new Promise((resolve) => {
    const got: number[] = [];
    const receive = ({ n }: { readonly n: number }): void => {
      got.push(n);
      if (got.length === 3) resolve(got);
    };
    listen(channel, receive, assert.fail);
    for (const n of [1, 2, 3]) sender.postMessage({ n });
  });
  sender.close();
  channel.close();
  assert.deepEqual(messages, [1, 2, 3]);
  assert.deepEqual(events, []);
});
