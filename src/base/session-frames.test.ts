import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeFrame, FrameReader, MAX_BODY_BYTES } from './session-frames.js';

const stream = Buffer.concat([
  ...encodeFrame({ id: 1, op: 'stat', path: 'größe' }),
  ...encodeFrame({ id: 2, op: 'write' }, Buffer.from('words\n')),
  ...encodeFrame({ id: 3 }),
]);

function read(reader: FrameReader, piece: Uint8Array): unknown[] {
  return reader.push(piece).map(({ header, body }) => [header, Buffer.from(body).toString()]);
}

const MESSAGES = [
  [{ id: 1, op: 'stat', path: 'größe' }, ''],
  [{ id: 2, op: 'write' }, 'words\n'],
  [{ id: 3 }, ''],
];

test('messages come out as they went in, wherever the stream is cut', () => {
  assert.deepEqual(read(new FrameReader(), stream), MESSAGES);
  for (const size of [1, 2, 3, 7, 8, 9, 40]) {
    const reader = new FrameReader();
    const messages: unknown[] = [];
    for (let at = 0; at < stream.length; at += size) messages.push(...read(reader, stream.subarray(at, at + size)));
    assert.deepEqual(messages, MESSAGES, `pieces of ${size} bytes`);
  }
});

const words = (...lengths: readonly number[]): Buffer => Buffer.from(Uint32Array.from(lengths).buffer);
const withHeader = (text: string): Buffer => Buffer.concat([words(text.length, 0), Buffer.from(text)]);

for (const [what, bytes] of [
  ['a header without end', words(2 ** 32 - 1, 0)],
  ['a body without end', words(2, MAX_BODY_BYTES + 1)],
  ['no JSON', withHeader('{"id"')],
  ['a list', withHeader('[1]')],
  ['null', withHeader('null')],
  ['no header at all', words(0, 0)],
  ['HTTP', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
] as const) {
  test(`${what} is refused as soon as possible`, () => {
    assert.throws(() => new FrameReader().push(bytes));
  });
}
