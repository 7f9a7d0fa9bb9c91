import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { encodeFrame } from '../../src/base/session-frames.js';
import type { SessionOpenFlags } from '../../src/base/session-protocol.js';
import { FileSession } from '../../src/client/file-session.js';
import { sessionUpgrades } from '../../src/control/server/serve-session.js';
import {
  type FileHandle,
  O_RDONLY,
  O_WRONLY_APPEND,
  O_WRONLY_TRUNC,
  type TraceDirectory,
} from '../../src/control/tracefs/node.js';
import { directory } from '../../src/control/tracefs/path.js';
import { createTracefs } from '../../src/control/tree/tracefs.js';
import { kernelProcess } from '../parity/kernel-process.js';

const shell = { pid: 4711, comm: 'sh' };
let sockets = 0;

function serve(t: TestContext, root: TraceDirectory): string {
  const path = join(tmpdir(), `fentry-session-${process.pid}-${sockets++}.sock`);
  const upgrade = sessionUpgrades(root);
  const server: Server = createServer();
  server.on('upgrade', (request, stream, head) => upgrade(request.headers.upgrade, stream, head));
  server.listen(path);
  t.after(() => server.close());
  return path;
}

async function connected(t: TestContext, root: TraceDirectory = createTracefs(kernelProcess())): Promise<FileSession> {
  const session = await FileSession.connect(serve(t, root));
  t.after(() => session.close());
  return session;
}

async function open(session: FileSession, path: string, flags: SessionOpenFlags = O_RDONLY): Promise<number> {
  return (await session.request('open', { path, flags, ...shell })).handle;
}

async function read(session: FileSession, handle: number, size = 4096): Promise<string> {
  return Buffer.from((await session.request('read', { handle, size })).body).toString();
}

async function echo(session: FileSession, text: string, path: string, flags = O_WRONLY_TRUNC): Promise<void> {
  const handle = await open(session, path, flags);
  await session.request('write', { handle, ...shell }, { body: Buffer.from(text) });
  await session.request('release', { handle });
}

test('files are opened, read in pieces, written and closed', async (t) => {
  const session = await connected(t);
  await echo(session, 'function_graph\n', 'current_tracer');
  const handle = await open(session, 'current_tracer');
  assert.equal(await read(session, handle, 9), 'function_');
  assert.equal(await read(session, handle), 'graph\n');
  assert.equal(await read(session, handle), '');
  await session.request('release', { handle });
  await assert.rejects(session.request('read', { handle, size: 1 }), { errno: 'EBADF' });
});

test('directories are listed, and names are looked up', async (t) => {
  const session = await connected(t);
  assert.deepEqual(
    { ...(await session.request('stat', { path: '' })), body: '' },
    { id: 1, kind: 'directory', mode: 0o700, size: 0, nlink: 13, body: '' },
  );
  assert.equal((await session.request('stat', { path: 'trace' })).mode, 0o640);
  const { entries } = await session.request('list', { path: 'per_cpu/cpu0' });
  assert.deepEqual(
    entries.find(({ name }) => name === 'trace_pipe_raw'),
    { name: 'trace_pipe_raw', kind: 'file', mode: 0o440, size: 2 ** 40 },
  );
  await assert.rejects(session.request('stat', { path: 'nonsense' }), { errno: 'ENOENT' });
  await assert.rejects(session.request('list', { path: 'trace' }), { errno: 'ENOTDIR' });
  await assert.rejects(session.request('mkdir', { path: 'x' }), { errno: 'EPERM' });
  await assert.rejects(open(session, 'per_cpu'), { errno: 'EISDIR' });
});

test('a waiting read delays no other request, and ends when it is cancelled', async (t) => {
  const session = await connected(t);
  const handle = await open(session, 'trace_pipe');
  const ctrlC = new AbortController();
  const waiting = session.request('read', { handle, size: 4096 }, { signal: ctrlC.signal });
  assert.equal(await read(session, await open(session, 'tracing_on')), '1\n');
  ctrlC.abort();
  await assert.rejects(waiting, { errno: 'EINTR' });
  await assert.rejects(session.request('read', { handle, size: 4096, nonblock: true }), { errno: 'EAGAIN' });
});

test('closing a file ends the read that waits in it', async (t) => {
  const session = await connected(t);
  const handle = await open(session, 'trace_pipe');
  const waiting = assert.rejects(session.request('read', { handle, size: 4096 }), { errno: 'EINTR' });
  await session.request('release', { handle });
  await waiting;
  await open(session, 'trace_pipe');
});

test('poll says whether a read would wait, wait until it would not', async (t) => {
  const session = await connected(t);
  const handle = await open(session, 'trace_pipe');
  assert.equal((await session.request('poll', { handle })).readable, false);
  const readable = session.request('wait', { handle });
  await echo(session, 'hello\n', 'trace_marker');
  await readable;
  assert.equal((await session.request('poll', { handle })).readable, true);
  assert.match(await read(session, handle), /hello/);
});

test('what comes after a release finds that it took effect', async (t) => {
  const order: string[] = [];
  const handle: FileHandle = {
    read: () => Buffer.from(order.join()),
    write() {},
    async release() {
      await new Promise((resolve) => setTimeout(resolve, 20));
      order.push('released');
    },
  };
  const session = await connected(t, directory({ slow: { kind: 'file', mode: 0o640, open: () => handle } }));
  const [first, second] = [await open(session, 'slow'), await open(session, 'slow')];
  void session.request('release', { handle: first });
  assert.equal(await read(session, second), 'released');
});

test('a client that goes leaves nothing open', async (t) => {
  const root = createTracefs(kernelProcess());
  const path = serve(t, root);
  const one = await FileSession.connect(path);
  await open(one, 'trace_pipe');
  one.close();
  await one.ended;
  await assert.rejects(open(one, 'trace'), { errno: 'ENODEV' });
  const other = await FileSession.connect(path);
  t.after(() => other.close());
  // The server learns of it a moment later.
  for (let tries = 0; ; tries++) {
    const opened = await open(other, 'trace_pipe').catch(() => undefined);
    if (opened !== undefined) break;
    assert.ok(tries < 500, 'trace_pipe stays open');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
});

test('what a flush takes over is added to by a later write', async (t) => {
  const session = await connected(t);
  const handle = await open(session, 'set_ftrace_filter', O_WRONLY_APPEND);
  await session.request('flush', { handle });
  await session.request('write', { handle }, { body: Buffer.from('later') });
  await session.request('flush', { handle });
  await session.request('release', { handle });
});

const WRONG: readonly (readonly [object, string])[] = [
  [{ id: 1, op: 'brew' }, 'ENOSYS'],
  [{ id: 1, op: 'constructor' }, 'ENOSYS'],
  [{ id: 1 }, 'ENOSYS'],
  [{ id: 1, op: 'stat' }, 'EINVAL'],
  [{ id: 1, op: 'stat', path: ['x'] }, 'EINVAL'],
  [{ id: 1, op: 'read', handle: 1, size: 2 ** 40 }, 'EINVAL'],
  [{ id: 1, op: 'read', handle: 1, size: -1 }, 'EINVAL'],
  [{ id: 1, op: 'release', handle: 'x' }, 'EINVAL'],
  [{ id: 1, op: 'open', path: 'trace' }, 'EINVAL'],
  [{ id: 1, op: 'open', path: 'trace', flags: { read: 1 } }, 'EINVAL'],
];

for (const [header, errno] of WRONG) {
  test(`${JSON.stringify(header)} is answered with ${errno}`, async (t) => {
    assert.match(await conversation(serve(t, createTracefs(kernelProcess())), encodeFrame(header)), new RegExp(errno));
  });
}

test('a connection that sends no requests is closed', async (t) => {
  const path = serve(t, createTracefs(kernelProcess()));
  for (const bytes of [
    [Buffer.from('GET / HTTP/1.1\r\n\r\n')],
    encodeFrame({ op: 'stat', path: '' }),
    encodeFrame({ id: 'x' }),
  ]) {
    assert.equal(await conversation(path, bytes, true), '');
  }
});

/** Sends bytes on an upgraded connection; what comes back first, or until the server closes it. */
function conversation(path: string, pieces: readonly Uint8Array[], untilClosed = false): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(path);
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: fentry-session\r\n\r\n');
    socket.on('data', (chunk) => {
      const isFirst = text === '';
      text += chunk.toString('latin1');
      if (isFirst) for (const piece of pieces) socket.write(piece);
      const [, answer = ''] = text.split('\r\n\r\n');
      if (!untilClosed && answer.length > 0) socket.destroy();
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(text.split('\r\n\r\n')[1] ?? ''));
  });
}

test('thousands of megabytes that are asked for at once are made as the client takes them', async (t) => {
  const MEBIBYTE = 2 ** 20;
  const REQUESTS = 100;
  let given = 0;
  let taken = 0;
  let mostOnTheWay = 0;
  const endless: FileHandle = {
    read(size) {
      given++;
      mostOnTheWay = Math.max(mostOnTheWay, given - taken);
      return new Uint8Array(size);
    },
    write() {},
    release() {},
  };
  const session = await connected(t, directory({ endless: { kind: 'file', mode: 0o440, open: () => endless } }));
  const handle = await open(session, 'endless');
  const reads = Array.from({ length: REQUESTS }, async () => {
    await session.request('read', { handle, size: MEBIBYTE });
    taken++;
  });
  await Promise.all(reads);
  assert.equal(given, REQUESTS);
  assert.ok(mostOnTheWay < REQUESTS / 4, `${mostOnTheWay} answers were on the way`);
});
