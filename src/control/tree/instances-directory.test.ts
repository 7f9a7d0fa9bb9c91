import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kernelProcess } from '../../../test/parity/kernel-process.js';
import { O_RDONLY, type TraceDirectory } from '../tracefs/node.js';
import { lookup, mkdir, rmdir } from '../tracefs/path.js';
import { createTracefs } from './tracefs.js';

const CALLER = { pid: 1, comm: 'cat' };

async function withInstance(): Promise<TraceDirectory> {
  const root = createTracefs(kernelProcess());
  await mkdir(root, 'instances/foo');
  return root;
}

const namesOf = (root: TraceDirectory): string[] => [...(lookup(root, 'instances') as TraceDirectory).names()];

for (const path of ['trace', 'trace_pipe', 'options/raw', 'per_cpu/cpu0/stats']) {
  test(`an instance cannot be removed while ${path} is open`, async () => {
    const root = await withInstance();
    const file = lookup(root, `instances/foo/${path}`);
    assert.equal(file.kind, 'file');
    const handle = await file.open(O_RDONLY, CALLER);
    await assert.rejects(rmdir(root, 'instances/foo'), { errno: 'EBUSY' });
    await handle.release();
    await rmdir(root, 'instances/foo');
    assert.deepEqual(namesOf(root), []);
  });
}

test('names are valid names of directories', async () => {
  const root = await withInstance();
  await mkdir(root, `instances/${'x'.repeat(255)}`);
  await assert.rejects(mkdir(root, `instances/${'x'.repeat(256)}`), { errno: 'ENAMETOOLONG' });
  await assert.rejects(mkdir(root, 'instances/..'), { errno: 'EEXIST' });
  for (const unfit of ['a\nb', 'a\0b', '\x1b[31m', '\x7f', '\x9b2J', '\ufffd']) {
    await assert.rejects(mkdir(root, `instances/${unfit}`), { errno: 'EINVAL' });
  }
  await mkdir(root, 'instances/with space');
  assert.deepEqual(namesOf(root), ['foo', 'with space', 'x'.repeat(255)]);
});
