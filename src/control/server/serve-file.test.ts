import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import type { TraceFile } from '../tracefs/node.js';
import { sendFile } from './serve-file.js';

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
