import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kernelProcess } from '../../../test/parity/kernel-process.js';
import { O_RDONLY, O_WRONLY_TRUNC, type TraceDirectory } from '../tracefs/node.js';
import { lookup } from '../tracefs/path.js';
import { createTracefs } from '../tree/tracefs.js';

const caller = { pid: 4711, comm: 'sh' };

async function open(root: TraceDirectory, path: string, flags = O_RDONLY) {
  const file = lookup(root, path);
  if (file.kind !== 'file') throw new Error(`${path} is no file`);
  return file.open(flags, caller);
}

async function write(root: TraceDirectory, path: string, text: string): Promise<void> {
  const handle = await open(root, path, O_WRONLY_TRUNC);
  await handle.write(Buffer.from(text));
  await handle.release();
}

async function read(root: TraceDirectory, path: string): Promise<string> {
  const handle = await open(root, path);
  const text = Buffer.from(await handle.read(1 << 20)).toString();
  await handle.release();
  return text;
}

const marks = (text: string): string[] => [...text.matchAll(/tracing_mark_write: (.*)/g)].map(([, mark]) => mark!);

test('a trace shows what was there when its first byte was read, and takes nothing away', async () => {
  const root = createTracefs(kernelProcess());
  await write(root, 'trace_marker', 'one');
  const handle = await open(root, 'trace');
  let text = Buffer.from(await handle.read(10)).toString();
  await write(root, 'trace_marker', 'two');
  text += Buffer.from(await handle.read(1 << 20)).toString();
  assert.deepEqual(marks(text), ['one']);
  assert.deepEqual(marks(await read(root, 'trace')), ['one', 'two']);
});

test('per_cpu shows one thread', async () => {
  const root = createTracefs(kernelProcess());
  await write(root, 'trace_marker', 'one');
  assert.deepEqual(marks(await read(root, 'per_cpu/cpu0/trace')), ['one']);
  assert.deepEqual(marks(await read(root, 'per_cpu/cpu1/trace')), []);
});

test('with pause-on-trace nothing is recorded while a trace is open', async () => {
  const root = createTracefs(kernelProcess());
  await write(root, 'options/pause-on-trace', '1');
  await write(root, 'trace_marker', 'before');
  const first = await open(root, 'trace');
  const second = await open(root, 'trace');
  await assert.rejects(() => write(root, 'trace_marker', 'lost'), { errno: 'EBADF' });
  assert.equal(await read(root, 'tracing_on'), '0\n');
  await first.release();
  await assert.rejects(() => write(root, 'trace_marker', 'lost too'), { errno: 'EBADF' });
  await second.release();
  await write(root, 'trace_marker', 'after');
  await write(root, 'options/pause-on-trace', '0');
  assert.deepEqual(marks(await read(root, 'trace')), ['before', 'after']);
});

test('options change how it is shown, not what is in the buffers', async () => {
  const root = createTracefs(kernelProcess());
  await write(root, 'trace_marker', 'one');
  await write(root, 'trace_options', 'sym-addr');
  assert.match(await read(root, 'trace'), /tracing_mark_write <ffffffff80000000>: one/);
  await write(root, 'trace_options', 'nosym-addr');
  await write(root, 'trace_options', 'printk-msg-only');
  assert.match(await read(root, 'trace'), /^one$/m);
});

test('an option that means nothing here is refused, and the log says why', async () => {
  const root = createTracefs(kernelProcess());
  await assert.rejects(() => write(root, 'options/userstacktrace', '1'), { errno: 'EINVAL' });
  await write(root, 'options/userstacktrace', '0');
  assert.match(await read(root, 'error_log'), /trace_options: error: .*user space.*\n {2}Command: userstacktrace\n {11}\^\n$/);
});
