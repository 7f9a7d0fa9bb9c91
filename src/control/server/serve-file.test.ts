import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable, Writable } from 'node:stream';
import { test } from 'node:test';
import type { TraceFile } from '../tracefs/node.js';
import { receiveFile, sendFile } from './serve-file.js';

const PIECES = 100;
const caller = { pid: 1, comm: 'cat' };

test('a long file that a fast client reads leaves the event loop to others between its pieces', async () => {
  let left = PIECES;
  const file: TraceFile = {
    kind: 'file',
    mode: 0o440,
    open: () => ({ read: (size) => new Uint8Array(left-- > 0 ? size : 0), write() {}, release() {} }),
  };
  let leftAtOther = 0;
  setImmediate(() => {
    leftAtOther = left;
  });
  // Whatever is written has been read already.
  const response = Object.assign(new Writable({ write: (_chunk, _encoding, done) => done() }), { headersSent: true });
  await sendFile(file, response as unknown as ServerResponse, caller);
  assert.ok(leftAtOther > PIECES / 2, `${leftAtOther} of ${PIECES} pieces were left`);
});

test('of a body that comes byte by byte, no piece is kept', async () => {
  const PIECE_COUNT = 200_000;
  // Each piece is the same memory: who keeps pieces has the last byte in all of them.
  const piece = Buffer.alloc(1);
  let largestQueue = 0;
  function* pieces(): Generator<Buffer> {
    for (let i = 0; i < PIECE_COUNT; i++) {
      largestQueue = Math.max(largestQueue, request.readableLength);
      piece[0] = i % 251;
      yield piece;
    }
  }
  const request: Readable = Readable.from(pieces(), { objectMode: true, highWaterMark: 1 });
  const written: Uint8Array[] = [];
  const file: TraceFile = {
    kind: 'file',
    mode: 0o640,
    open: () => ({ read: () => new Uint8Array(0), write: (bytes) => void written.push(bytes), release() {} }),
  };
  await receiveFile(file, request as IncomingMessage, false, caller);
  const [bytes] = written;
  assert.equal(written.length, 1);
  assert.equal(bytes?.length, PIECE_COUNT);
  assert.equal(
    bytes.findIndex((byte, i) => byte !== i % 251),
    -1,
  );
  assert.ok(bytes.buffer.byteLength < 2 * PIECE_COUNT, `${bytes.buffer.byteLength} bytes are kept for ${PIECE_COUNT}`);
  assert.ok(largestQueue <= 1, `${largestQueue} pieces waited`);
});
