import assert from 'node:assert/strict';
import { constants } from 'node:fs';
import { test } from 'node:test';
import { TraceError } from '../base/errno.js';
import type { FuseChannel, FuseRequest } from './device.js';
import {
  ATTR_OUT,
  DIRENT,
  ENTRY_OUT,
  FOPEN,
  INIT_FLAGS,
  INIT_OUT,
  MKNOD_IN,
  OPCODES,
  OPEN_IN,
  OPEN_OUT,
  type Opcode,
  POLL_IN,
  POLL_OUT,
  READ_IN,
  WRITE_OUT,
} from './protocol.js';
import { FuseServer } from './server.js';
import type { Tree } from './tree.js';

const EPERM = 1;
const ENOENT = 2;
const EINTR = 4;
const EIO = 5;
const EACCES = 13;
const EINVAL = 22;
const ENOSYS = 38;
const EOPNOTSUPP = 95;

/** A kernel that asks what a test asks. */
class TestKernel implements FuseChannel {
  readonly polled: number[] = [];
  readonly sizes: (readonly [nodeid: number, bytes: number])[] = [];
  readonly #requests: FuseRequest[] = [];
  readonly #answers = new Map<number, (answer: { error: number; bytes: Buffer }) => void>();
  #wake: (() => void) | undefined;
  #unique = 0;

  get lastUnique(): number {
    return this.#unique;
  }

  ask(opcode: Opcode | undefined, nodeid: number, body: Uint8Array = Buffer.alloc(0)): Promise<{ error: number; bytes: Buffer }> {
    const unique = ++this.#unique;
    this.#requests.push({ opcode, unique, nodeid, pid: process.pid, body: Buffer.from(body) });
    this.#wake?.();
    return new Promise((resolve) => this.#answers.set(unique, resolve));
  }

  async next(): Promise<FuseRequest> {
    while (this.#requests.length === 0) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return this.#requests.shift()!;
  }

  reply(unique: number, error: number, parts: readonly Uint8Array[] = []): void {
    this.#answers.get(unique)?.({ error, bytes: Buffer.concat(parts) });
  }

  notifyPoll(kh: number): void {
    this.polled.push(kh);
  }

  notifySize(nodeid: number, bytes: number): void {
    this.sizes.push([nodeid, bytes]);
  }
}

const FILES: Readonly<Record<string, string>> = {
  trace: 'a line\nanother\n',
  trace_pipe: '',
  trace_pipe_raw: '',
  tracing_on: '1\n',
};

/** A tree of two files and a directory of instances, which notes what it was asked. */
function testTree(asked: string[]): Tree {
  const positions: number[] = [];
  const paths: string[] = [];
  let instances = new Set<string>();
  const statOf = (path: string): object => {
    if (path in FILES) return { kind: 'file', mode: 0o640, size: 0, nlink: 1 };
    if (path === '' || path === 'instances' || instances.has(path)) {
      return { kind: 'directory', mode: 0o750, size: 0, nlink: 2 + instances.size };
    }
    throw new TraceError('ENOENT');
  };
  const answers: Record<string, (args: never, signal?: AbortSignal) => unknown> = {
    stat: ({ path }: { path: string }) => statOf(path),
    list: () => ({ entries: Object.keys(FILES).map((name) => ({ name, kind: 'file', mode: 0o640, size: 0 })) }),
    mkdir: ({ path }: { path: string }) => void instances.add(path),
    rmdir: ({ path }: { path: string }) => {
      instances = new Set([...instances].filter((one) => one !== path));
    },
    open: ({ path }: { path: string }) => ({ handle: paths.push(path) - 1 }),
    read: ({ handle, size, offset }: { handle: number; size: number; offset?: number }, signal) => {
      const path = paths[handle]!;
      if (path === 'trace_pipe') return waitsFor(signal!);
      const at = offset ?? positions[handle] ?? 0;
      positions[handle] = at + size;
      return { body: Buffer.from(FILES[path]!.slice(at, at + size)) };
    },
    poll: () => ({ readable: false }),
    wait: () => ({}),
    write: () => ({}),
    release: () => ({}),
  };
  return {
    async request(op: string, args: object, { body, signal }: { body?: Uint8Array; signal?: AbortSignal } = {}) {
      asked.push(op);
      if (String(body) === 'fault\n') throw new TypeError('no such thing');
      return ((await answers[op]!(args as never, signal)) ?? {}) as never;
    },
  } as Tree;
}

const waitsFor = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(new TraceError('EINTR'))));

function served() {
  const asked: string[] = [];
  const kernel = new TestKernel();
  const told: string[] = [];
  void new FuseServer(kernel, testTree(asked), { uid: 1000, gid: 100 }, 1, (line) => told.push(line)).run();
  const lookup = async (name: string, parent = 1) => ENTRY_OUT.read((await kernel.ask('LOOKUP', parent, cString(name))).bytes, 0);
  const open = async (nodeid: number, flags = 0) =>
    OPEN_OUT.read((await kernel.ask('OPEN', nodeid, OPEN_IN.write({ flags }))).bytes, 0);
  const read = async (fh: number, offset: number, size: number) =>
    (await kernel.ask('READ', 2, READ_IN.write({ fh, offset, size }))).bytes.toString();
  return { kernel, asked, told, lookup, open, read };
}

const cString = (text: string): Buffer => Buffer.from(`${text}\0`);

test('INIT asks for O_TRUNC with the open, and for nothing to be read ahead', async () => {
  const { kernel } = served();
  const body = Buffer.from(Uint32Array.of(7, 40, 131072, 0xffffffff).buffer);
  const { flags, maxReadahead, minor } = INIT_OUT.read((await kernel.ask('INIT', 0, body)).bytes, 0);
  assert.notEqual(flags & INIT_FLAGS.ATOMIC_O_TRUNC, 0);
  assert.equal(maxReadahead, 0);
  assert.equal(minor, 36);
});

test('a lookup gives mode and owner; a missing file is an error, not a cached absence', async () => {
  const { kernel, lookup } = served();
  const { nodeid, mode, uid, gid, size } = await lookup('trace');
  assert.deepEqual({ mode, uid, gid, size }, { mode: 0o100640, uid: 1000, gid: 100, size: 0 });
  assert.equal((await lookup('trace')).nodeid, nodeid);
  assert.equal((await kernel.ask('LOOKUP', 1, cString('nonsense'))).error, ENOENT);
});

test('a directory is listed in pieces', async () => {
  const { kernel } = served();
  const { fh } = OPEN_OUT.read((await kernel.ask('OPENDIR', 1)).bytes, 0);
  const names: string[] = [];
  for (let offset = 0; ; ) {
    const { bytes } = await kernel.ask('READDIR', 1, READ_IN.write({ fh, offset, size: 64 }));
    if (bytes.length === 0) break;
    for (let at = 0; at < bytes.length; ) {
      const { off, namelen } = DIRENT.read(bytes, at);
      names.push(bytes.toString('utf8', at + DIRENT.size, at + DIRENT.size + namelen));
      at += DIRENT.size + Math.ceil(namelen / 8) * 8;
      offset = off;
    }
  }
  assert.deepEqual(names, ['.', '..', ...Object.keys(FILES)]);
});

test('reads are passed on as they are made; one that goes elsewhere says where', async () => {
  const { lookup, open, read, asked } = served();
  const { fh, openFlags } = await open((await lookup('trace')).nodeid);
  assert.notEqual(openFlags & FOPEN.DIRECT_IO, 0);
  assert.equal(await read(fh, 0, 7), 'a line\n');
  assert.equal(await read(fh, 7, 100), 'another\n');
  assert.equal(asked.filter((op) => op === 'open').length, 1);
  assert.equal(await read(fh, 0, 6), 'a line');
  assert.equal(await read(fh, 9, 100), 'other\n');
  assert.equal(asked.filter((op) => op === 'open').length, 1);
});

test('files that the kernel does not splice are not read in pages without a task', async () => {
  const { kernel, lookup, open } = served();
  const spliced = async (name: string): Promise<number> => {
    const { nodeid } = await lookup(name);
    const { fh } = await open(nodeid, constants.O_RDONLY | constants.O_NONBLOCK);
    return (await kernel.ask('READ', nodeid, READ_IN.write({ fh, size: 4096 }))).error;
  };
  await kernel.ask('INIT', 0, Buffer.from(Uint32Array.of(7, 45, 131072, 0).buffer));
  assert.deepEqual([await spliced('trace'), await spliced('tracing_on')], [0, EINVAL]);
});

test('a file without waits can always be read and written', async () => {
  const { kernel, lookup, open, asked } = served();
  const { fh } = await open((await lookup('tracing_on')).nodeid);
  const { bytes } = await kernel.ask('POLL', 2, POLL_IN.write({ fh, kh: 99, flags: 1 }));
  assert.equal(POLL_OUT.read(bytes, 0).revents, 0x145);
  assert.equal(asked.includes('poll'), false);
});

test('a kernel whose splice(2) ends at the size of a file gets a large size when the file is opened for reading', async () => {
  const { kernel, lookup, open } = served();
  const { nodeid } = await lookup('trace');
  await kernel.ask('INIT', 0, Buffer.from(Uint32Array.of(7, 37, 131072, 0).buffer));
  await open(nodeid);
  assert.deepEqual(kernel.sizes, []);
  await kernel.ask('INIT', 0, Buffer.from(Uint32Array.of(7, 45, 131072, 0).buffer));
  await open(nodeid);
  await open(nodeid, constants.O_WRONLY);
  const { nodeid: pipe } = await lookup('trace_pipe');
  await open(pipe);
  await open((await lookup('trace_pipe_raw')).nodeid);
  assert.deepEqual(kernel.sizes, [
    [nodeid, 2 ** 40],
    [pipe, 2 ** 40],
  ]);
});

test('an interrupt ends the read that it names with EINTR', async () => {
  const { kernel, lookup, open } = served();
  const { fh } = await open((await lookup('trace_pipe')).nodeid);
  const reading = kernel.ask('READ', 2, READ_IN.write({ fh, size: 4096 }));
  const interrupt = Buffer.alloc(8);
  interrupt.writeBigUInt64LE(BigInt(kernel.lastUnique));
  void kernel.ask('INTERRUPT', 0, interrupt);
  assert.equal((await reading).error, EINTR);
});

test('a poll that finds nothing is notified once', async () => {
  const { kernel, lookup, open } = served();
  const { fh } = await open((await lookup('trace_pipe')).nodeid);
  const { bytes } = await kernel.ask('POLL', 2, POLL_IN.write({ fh, kh: 99, flags: 1 }));
  assert.equal(POLL_OUT.read(bytes, 0).revents, 0);
  await new Promise(setImmediate);
  assert.deepEqual(kernel.polled, [99]);
});

test('an instance that is made again is another node', async () => {
  const { kernel, lookup } = served();
  const { nodeid: parent } = await lookup('instances');
  const make = async () =>
    ENTRY_OUT.read((await kernel.ask('MKDIR', parent, Buffer.concat([Buffer.alloc(8), cString('x')]))).bytes, 0);
  const first = await make();
  assert.equal(first.nlink, 3);
  assert.equal((await kernel.ask('RMDIR', parent, cString('x'))).error, 0);
  // Who still has it open sees a directory without names.
  assert.equal(ATTR_OUT.read((await kernel.ask('GETATTR', first.nodeid)).bytes, 0).nlink, 0);
  assert.equal((await kernel.ask('READDIR', first.nodeid, READ_IN.write({ fh: 1, size: 4096 }))).error, ENOENT);
  assert.equal((await kernel.ask('LOOKUP', first.nodeid, cString('trace'))).error, ENOENT);
  const second = await make();
  assert.notEqual(second.nodeid, first.nodeid);
  assert.equal(second.entryValid, 0);
});

test('what is read behind a write begins where the kernel has left the place', async () => {
  const { kernel, lookup, open } = served();
  const readBehindWrite = async (name: string): Promise<string> => {
    const { fh } = await open((await lookup(name)).nodeid, constants.O_RDWR);
    await kernel.ask('WRITE', 2, Buffer.concat([READ_IN.write({ fh, size: 2 }), Buffer.from('1\n')]));
    return (await kernel.ask('READ', 2, READ_IN.write({ fh, offset: 2, size: 4096 }))).bytes.toString();
  };
  assert.equal(await readBehindWrite('trace'), FILES.trace);
  assert.equal(await readBehindWrite('tracing_on'), '');
});

test('attributes and plain nodes are refused as tracefs refuses them, and nothing is copied', async () => {
  const { kernel } = served();
  const mknod = (mode: number): Promise<{ error: number }> =>
    kernel.ask('MKNOD', 1, Buffer.concat([MKNOD_IN.write({ mode }), cString('x')]));
  assert.equal((await mknod(constants.S_IFREG)).error, EACCES);
  assert.equal((await mknod(constants.S_IFIFO)).error, EPERM);
  assert.equal((await kernel.ask('GETXATTR', 1)).error, EOPNOTSUPP);
  assert.equal(WRITE_OUT.read((await kernel.ask('COPY_FILE_RANGE', 1)).bytes, 0).size, 0);
});

test('EIO is answered with a line that says why', async () => {
  const { kernel, told, lookup, open } = served();
  const { nodeid } = await lookup('tracing_on');
  const { fh } = await open(nodeid);
  const write = Buffer.concat([READ_IN.write({ fh, size: 6 }), Buffer.from('fault\n')]);
  assert.equal((await kernel.ask('WRITE', nodeid, write)).error, EIO);
  assert.match(
    told.join('\n'),
    /^fentry: WRITE of \/tracing_on is answered with EIO: internal error: TypeError: no such thing\n/,
  );
  assert.equal((await kernel.ask('LOOKUP', 1, cString('nonsense'))).error, ENOENT);
  assert.equal(told.length, 1);
});

test('files cannot be created, and unknown operations are ENOSYS', async () => {
  const { kernel } = served();
  assert.equal((await kernel.ask('CREATE', 1, cString('x'))).error, EACCES);
  assert.equal((await kernel.ask(undefined, 1)).error, ENOSYS);
  assert.equal(OPCODES[36], 'INTERRUPT');
});
