import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { drained } from './output.js';

test('waiting for a slow reader leaves no listeners on the stream', async () => {
  const stream = new PassThrough();
  const before = stream.eventNames();
  for (let i = 0; i < 20; i++) {
    const waiting = drained(stream);
    stream.emit('drain');
    await waiting;
  }
  assert.deepEqual(stream.eventNames(), before);
});

test('a reader that goes away ends the wait', async () => {
  const stream = new PassThrough();
  const waiting = drained(stream);
  stream.destroy();
  await waiting;
});
