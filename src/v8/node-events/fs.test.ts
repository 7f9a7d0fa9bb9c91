import assert from 'node:assert/strict';
import { createHook } from 'node:async_hooks';
import * as nodeFs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { fs } from './fs.js';
import { type Call, recordCalls } from './testing/record-calls.js';

let folder: string;
before(() => {
  folder = nodeFs.mkdtempSync(join(tmpdir(), 'fentry-fs-'));
  nodeFs.writeFileSync(join(folder, 'three'), 'abc');
});
after(() => nodeFs.rmSync(folder, { recursive: true }));

/** An operation as a line: what its start and its end say, in the order in which it ended. */
function lines(calls: readonly Call[]): readonly string[] {
  const starts = new Map(calls.filter(({ event }) => event === 'op_start').map((call) => [call.id, call]));
  return calls
    .filter(({ event, path }) => event === 'op_end' && String(path).startsWith(folder))
    .map(({ id, op, path, ret, error }) => {
      const { via, bytes } = starts.get(id)!;
      const asked = bytes === 0 ? '' : ` ${bytes} bytes`;
      const result = op === 'open' && Number(ret) >= 0 ? 'an fd' : error === '' ? ret : `${ret} ${error}`;
      return `${['sync', 'callback', 'promise'][via as number]} ${op}${asked} ${String(path).slice(folder.length)} = ${result}`;
    });
}

test('an operation is seen with its file’s name, its bytes and its result, by a descriptor too', async () => {
  const path = join(folder, 'three');
  const calls = await recordCalls(fs, () => {
    const fd = nodeFs.openSync(path, 'r+');
    nodeFs.readSync(fd, Buffer.alloc(10));
    nodeFs.writeSync(fd, 'defgh', 3);
    nodeFs.closeSync(fd);
    nodeFs.statSync(path);
    nodeFs.readdirSync(folder);
    nodeFs.readdirSync(folder, { withFileTypes: true });
  });
  assert.deepEqual(lines(calls), [
    'sync open /three = an fd',
    'sync read 10 bytes /three = 3',
    'sync write 5 bytes /three = 5',
    'sync close /three = 0',
    'sync stat /three = 0',
    'sync readdir  = 1',
    'sync readdir  = 1',
  ]);
});

test('callbacks and promises end when they are called and settled', async () => {
  const path = join(folder, 'two');
  const calls = await recordCalls(fs, async () => {
    const fd = await promisify(nodeFs.open)(path, 'w');
    await promisify(nodeFs.write)(fd, Buffer.from('hi'));
    await promisify(nodeFs.close)(fd);
    const handle = await nodeFs.promises.open(path);
    await handle.read(Buffer.alloc(4), 0, 4, 0);
    await handle.close();
    await nodeFs.promises.unlink(path);
  });
  assert.deepEqual(lines(calls), [
    'callback open /two = an fd',
    'callback write 2 bytes /two = 2',
    'callback close /two = 0',
    'promise open /two = an fd',
    'promise read 4 bytes /two = 2',
    'promise close /two = 0',
    'promise unlink /two = 0',
  ]);
});

test('an error is seen by its number and its name, and reaches the program as before', async () => {
  const path = join(folder, 'none');
  const errors: unknown[] = [];
  const calls = await recordCalls(fs, async () => {
    for (const work of [() => nodeFs.openSync(path, 'r'), () => nodeFs.rmdirSync(path)]) {
      try {
        work();
      } catch (error) {
        errors.push((error as NodeJS.ErrnoException).code);
      }
    }
    await promisify(nodeFs.stat)(path).catch((error) => errors.push(error.code));
    await nodeFs.promises.readlink(join(folder, 'three')).catch((error) => errors.push(error.code));
    nodeFs.existsSync(path);
    nodeFs.statSync(path, { throwIfNoEntry: false });
  });
  assert.deepEqual(errors, ['ENOENT', 'ENOENT', 'ENOENT', 'EINVAL']);
  assert.deepEqual(lines(calls), [
    'sync open /none = -2 ENOENT',
    'sync rmdir /none = -2 ENOENT',
    'callback stat /none = -2 ENOENT',
    'promise readlink /three = -22 EINVAL',
    'sync access /none = -2',
    'sync stat /none = -2',
  ]);
});

test('a file that was opened before is known by its name', async () => {
  const fd = nodeFs.openSync(join(folder, 'three'), 'r');
  const calls = await recordCalls(fs, () => nodeFs.readSync(fd, Buffer.alloc(1)));
  nodeFs.closeSync(fd);
  assert.deepEqual(lines(calls), ['sync read 1 bytes /three = 1']);
});

/** Operations on the folder's files that began and did not end, and descriptors that were opened and not closed. */
function left(calls: readonly Call[]): readonly unknown[] {
  const own = calls.filter(({ path }) => String(path).startsWith(folder));
  const ended = new Set(own.filter(({ event }) => event === 'op_end').map(({ id }) => id));
  const closed = own.filter(({ event, op }) => event === 'op_end' && op === 'close').map(({ fd }) => fd);
  const opened = own.filter(({ event, op }) => event === 'op_end' && op === 'open').map(({ fd }) => fd);
  return [...own.filter(({ id }) => !ended.has(id)), ...opened.filter((fd) => !closed.includes(fd))];
}

test('whole files by each of the interfaces, the new name of one that is renamed', async () => {
  const calls = await recordCalls(fs, async () => {
    nodeFs.writeFileSync(join(folder, 'whole'), 'text');
    nodeFs.readFileSync(join(folder, 'whole'), 'utf8');
    await promisify(nodeFs.readFile)(join(folder, 'whole'));
    await nodeFs.promises.readFile(join(folder, 'whole'));
    nodeFs.renameSync(join(folder, 'whole'), join(folder, 'new'));
    nodeFs.rmSync(join(folder, 'new'));
  });
  const bytesOf = (op: RegExp): unknown[] =>
    calls
      .filter(({ event, op: one, ret }) => event === 'op_end' && op.test(String(one)) && Number(ret) > 0)
      .map(({ ret }) => ret);
  assert.deepEqual(bytesOf(/^write/), [4]);
  assert.deepEqual(bytesOf(/^read/), [4, 4, 4]);
  assert.deepEqual(left(calls), []);
  const renamed = calls.find(({ event, op }) => event === 'op_start' && op === 'rename');
  assert.equal(renamed?.new_path, join(folder, 'new'));
});

test('the functions are Node’s own before, look so while it is on, and are again after', async () => {
  const { binding } = process as unknown as { binding(name: string): Record<string, unknown> };
  const shape = (): unknown =>
    Object.entries(Object.getOwnPropertyDescriptors(binding('fs'))).map(([name, { value, ...rest }]) => [
      name,
      rest,
      typeof value === 'function' ? [value.name, value.length, String(value)] : typeof value,
    ]);
  const { FSReqCallback } = binding('fs') as { FSReqCallback: { prototype: object } };
  const requests = (): unknown => Object.getOwnPropertyDescriptors(FSReqCallback.prototype);
  const requestsBefore = requests();
  const before = { functions: { ...binding('fs') }, shape: shape() };
  await recordCalls(fs, () => {
    assert.notEqual(binding('fs').open, before.functions.open);
    assert.deepEqual(Object.keys(binding('fs')), Object.keys(before.functions));
  });
  assert.deepEqual({ functions: { ...binding('fs') }, shape: shape() }, before);
  assert.deepEqual(requests(), requestsBefore);
});

test('hooks of the program see no promise more', async () => {
  const count = async (): Promise<number> => {
    let made = 0;
    const hook = createHook({ init: (_id, type) => void (type === 'PROMISE' && made++) }).enable();
    await nodeFs.promises.stat(folder);
    hook.disable();
    return made;
  };
  const during = async (events?: readonly string[]): Promise<number> => {
    let made = 0;
    await recordCalls(
      fs,
      async () => {
        made = await count();
      },
      events,
    );
    return made;
  };
  await during([]);
  assert.equal(await during(), await during([]));
});
