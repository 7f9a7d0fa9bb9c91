import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { complain, drained } from './output.js';
import { ProgressLine } from './record/progress-line.js';

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

test('a message does not stand behind a line that shows progress', (t) => {
  const written: string[] = [];
  const write = ((text: string) => written.push(text) > 0) as NodeJS.WriteStream['write'];
  t.mock.method(process.stderr, 'write', write);
  const line = new ProgressLine({ isTTY: true, columns: 80, write });
  line.show('recording');
  complain('no');
  line.clear();
  assert.deepEqual(written, ['\rrecording', '\r         \r', 'fentry: no\n']);
});
