import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kernelProcess } from '../../../test/parity/kernel-process.js';
import { type FileHandle, O_RDONLY, O_WRONLY_TRUNC, type OpenFlags, type TraceDirectory } from '../tracefs/node.js';
import { lookup } from '../tracefs/path.js';
import { createTracefs } from '../tree/tracefs.js';

const caller = { pid: 4711, comm: 'sh' };
const NONBLOCK: OpenFlags = { ...O_RDONLY, nonblock: true };

async function open(root: TraceDirectory, path: string, flags = O_RDONLY): Promise<FileHandle> {
  const file = lookup(root, path);
  assert.equal(file.kind, 'file');
  return file.kind === 'file' ? file.open(flags, caller) : assert.fail();
}

async function write(root: TraceDirectory, path: string, text: string): Promise<void> {
  const handle = await open(root, path, O_WRONLY_TRUNC);
  await handle.write(Buffer.from(text));
  await handle.release();
}

const textOf = async (bytes: Uint8Array | Promise<Uint8Array>): Promise<string> =>
  Buffer.from(await bytes)
    .toString()
    .replace(/^.*: /gm, '');

test('a reader waits for events, and gets each once', async () => {
  const root = createTracefs(kernelProcess());
  const pipe = await open(root, 'trace_pipe');
  const first = textOf(pipe.read(4096));
  await write(root, 'trace_marker', 'one');
  assert.equal(await first, 'one\n');
  await write(root, 'trace_marker', 'two');
  assert.equal(await textOf(pipe.read(4096)), 'two\n');
  await pipe.release();
});

test('it ends when something was read and tracing is off', async () => {
  const root = createTracefs(kernelProcess());
  await write(root, 'trace_marker', 'one');
  const pipe = await open(root, 'trace_pipe');
  await write(root, 'tracing_on', '0');
  assert.equal(await textOf(pipe.read(4096)), 'one\n');
  assert.equal((await pipe.read(4096)).length, 0);
});

test('a reader that does not want to wait gets EAGAIN', async () => {
  const root = createTracefs(kernelProcess());
  const pipe = await open(root, 'trace_pipe', NONBLOCK);
  await assert.rejects(async () => pipe.read(4096), { errno: 'EAGAIN' });
  const raw = await open(root, 'per_cpu/cpu0/trace_pipe_raw', NONBLOCK);
  await assert.rejects(async () => raw.read(4096), { errno: 'EAGAIN' });
});

test('a reader that does not want to wait gets EAGAIN while tracing is off, too', async () => {
  const root = createTracefs(kernelProcess());
  await write(root, 'trace_marker', 'one');
  await write(root, 'tracing_on', '0');
  const pipe = await open(root, 'trace_pipe', NONBLOCK);
  assert.equal(await textOf(pipe.read(4096)), 'one\n');
  await assert.rejects(async () => pipe.read(4096), { errno: 'EAGAIN' });
});

test('a wait can be interrupted', async () => {
  const root = createTracefs(kernelProcess());
  const pipe = await open(root, 'trace_pipe');
  const interrupt = new AbortController();
  const read = pipe.read(4096, interrupt.signal);
  interrupt.abort();
  await assert.rejects(async () => read, { errno: 'EINTR' });
});

test('one reader at a time', async () => {
  const root = createTracefs(kernelProcess());
  const pipe = await open(root, 'trace_pipe');
  await assert.rejects(() => open(root, 'trace_pipe'), { errno: 'EBUSY' });
  await pipe.release();
  await (await open(root, 'trace_pipe')).release();
});

test('what a reader left is there for the next', async () => {
  const root = createTracefs(kernelProcess());
  for (const text of ['one', 'two', 'three']) await write(root, 'trace_marker', text);
  const pipe = await open(root, 'trace_pipe');
  assert.equal(await textOf(pipe.read(1)), ' ');
  await pipe.release();
  assert.match(await textOf((await open(root, 'trace')).read(65536)), /two\nthree\n$/);
});

test('poll tells the truth, and O_NONBLOCK may be set after open', async () => {
  const root = createTracefs(kernelProcess());
  await write(root, 'buffer_percent', '0');
  for (const path of ['trace_pipe', 'per_cpu/cpu0/trace_pipe_raw']) {
    const handle = await open(root, path, O_RDONLY);
    await assert.rejects(async () => handle.read(4096, undefined, true), { errno: 'EAGAIN' });
    assert.equal(handle.isReadable?.(), false);
    const readable = handle.untilReadable?.(new AbortController().signal);
    await write(root, 'trace_marker', 'one');
    await readable;
    assert.equal(handle.isReadable?.(), true);
    assert.ok((await handle.read(4096)).length > 0);
    assert.equal(handle.isReadable?.(), false);
    await handle.release();
  }
});

test('poll of a cpu reports when buffer_percent of its buffer is full, and a read takes what is there', async () => {
  const root = createTracefs(kernelProcess());
  await write(root, 'buffer_size_kb', '16');
  const raw = await open(root, 'per_cpu/cpu0/trace_pipe_raw');
  const all = await open(root, 'trace_pipe');
  await write(root, 'trace_marker', 'one');
  assert.equal(raw.isReadable?.(), false);
  assert.equal(all.isReadable?.(), true);
  const readable = raw.untilReadable?.(new AbortController().signal);
  for (let page = 0; page < 4; page++) await write(root, 'trace_marker', 'x'.repeat(4000));
  await readable;
  assert.equal(raw.isReadable?.(), true);
  assert.equal((await raw.read(4096)).length, 4096);
});

test('until somebody writes buffer_percent, poll of raw pages reports as much as a pipe holds', async () => {
  const root = createTracefs(kernelProcess());
  await write(root, 'buffer_size_kb', '1408');
  const raw = await open(root, 'per_cpu/cpu0/trace_pipe_raw');
  for (let i = 0; i < 10; i++) await write(root, 'trace_marker', 'x'.repeat(4000));
  assert.equal(raw.isReadable?.(), false);
  const readable = raw.untilReadable?.(new AbortController().signal);
  for (let i = 0; i < 5; i++) await write(root, 'trace_marker', 'x'.repeat(4000));
  await readable;
  await write(root, 'buffer_percent', '50');
  assert.equal(raw.isReadable?.(), false);
  await write(root, 'buffer_percent', '4');
  assert.equal(raw.isReadable?.(), true);
});

test('with the option block a poll never waits', async () => {
  const root = createTracefs(kernelProcess());
  await write(root, 'options/block', '1');
  const pipe = await open(root, 'trace_pipe');
  assert.equal(pipe.isReadable?.(), true);
});

test('raw pages hold the events that were not read before', async () => {
  const root = createTracefs(kernelProcess());
  await write(root, 'trace_marker', 'one');
  const raw = await open(root, 'per_cpu/cpu0/trace_pipe_raw', NONBLOCK);
  const page = Buffer.from(await raw.read(65536));
  assert.equal(page.length, 4096);
  assert.equal(page.readUInt16LE(16 + 4), 5);
  await assert.rejects(async () => raw.read(4096), { errno: 'EAGAIN' });
});
