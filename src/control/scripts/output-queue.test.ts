import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TraceError } from '../../base/errno.js';
import type { FileHandle } from '../tracefs/node.js';
import { OutputQueue, outputFile } from './output-queue.js';

const CALLER = { pid: 1, comm: 'test' };
const READ = { read: true, write: false, truncate: false, append: false, nonblock: false };
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();
const open = (queue: OutputQueue) => outputFile(queue).open(READ, CALLER) as FileHandle;

test('a read takes what is there, waits for more, and ends with the script', async () => {
  const queue = new OutputQueue();
  const file = open(queue);
  queue.put('one two');
  assert.equal(text(await file.read(3)), 'one');
  assert.equal(text(await file.read(100)), ' two');
  const waiting = file.read(100);
  queue.put('three');
  assert.equal(text(await waiting), 'three');
  const last = file.read(100);
  queue.end();
  assert.equal((await last).length, 0);
});

test('a wait ends by its signal; with O_NONBLOCK there is none', async () => {
  const file = open(new OutputQueue());
  const isErrno = (errno: string) => (error: unknown) => error instanceof TraceError && error.errno === errno;
  const request = new AbortController();
  const waiting = Promise.resolve(file.read(1, request.signal));
  request.abort();
  await assert.rejects(waiting, isErrno('EINTR'));
  await assert.rejects(Promise.resolve(file.read(1, undefined, true)), isErrno('EAGAIN'));
});

test('a reader is awaited until it has heard of the end', async () => {
  const queue = new OutputQueue();
  assert.equal(queue.isRead, false);
  const file = open(queue);
  queue.put('x');
  queue.end();
  assert.equal(queue.isAwaited, true);
  await file.read(1);
  assert.equal(queue.isAwaited, true);
  await file.read(1);
  assert.equal(queue.isAwaited, false);
});
