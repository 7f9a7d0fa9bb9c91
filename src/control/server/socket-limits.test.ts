import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { listenOnSocket, type SocketLimits } from './socket-server.js';

const PATIENT: SocketLimits = { connections: 200, request: 30_000, look: 5000 };

/** A socket that answers every request with `answer`; returns what connects to it. */
function serve(t: TestContext, limits: Partial<SocketLimits>): () => Socket {
  const folder = mkdtempSync(join(tmpdir(), 'fentry-socket-'));
  const path = join(folder, 'socket');
  const server = listenOnSocket(
    path,
    (_request, response) => response.end('answer'),
    () => {},
    { limits: { ...PATIENT, ...limits } },
  );
  const clients: Socket[] = [];
  t.after(() => {
    for (const client of clients) client.destroy();
    server.close();
    rmSync(folder, { recursive: true });
  });
  return () => {
    const client = connect(path);
    clients.push(client);
    return client;
  };
}

const ask = (client: Socket): Promise<string> => {
  client.write('GET / HTTP/1.1\r\nhost: fentry\r\nconnection: close\r\n\r\n');
  return text(client);
};

test('a client that never finishes its request is let go', async (t) => {
  const slow = serve(t, { request: 20, look: 10 })();
  slow.write('GET / HT');
  assert.match(await text(slow), /^HTTP\/1\.1 408 /);
});

test('one that never begins it is let go, too', async (t) => {
  const silent = serve(t, { request: 20, look: 10 })();
  silent.resume();
  await once(silent, 'close');
});

test('clients beyond the limit are told that there are too many, until another one goes', async (t) => {
  const connectTo = serve(t, { connections: 1 });
  const first = connectTo();
  first.write('GET / HTTP/1.1\r\nhost: fentry\r\n\r\n');
  await once(first, 'data');
  assert.match(await ask(connectTo()), /^HTTP\/1\.1 503 .*fentry-errno: EAGAIN.*"1 connections are open already"/s);
  first.destroy();
  for (let answer = ''; !answer.endsWith('answer'); ) answer = await ask(connectTo());
});

test('clients that only stay connected make room for one that asks, the oldest first', async (t) => {
  const connectTo = serve(t, { connections: 3 });
  const silent = [connectTo(), connectTo(), connectTo()];
  silent[0]!.write('GET / HT');
  for (const client of silent) {
    client.resume();
    if (client.connecting) await once(client, 'connect');
  }
  const oldestGone = once(silent[0]!, 'close');
  assert.match(await ask(connectTo()), /answer$/);
  await oldestGone;
  assert.deepEqual(
    silent.map(({ destroyed }) => destroyed),
    [true, false, false],
  );
});

test('a thousand half-open connections do not keep clients out', async (t) => {
  const connectTo = serve(t, { request: 600_000 });
  for (let i = 0; i < 1000; i++) connectTo().on('error', () => {});
  for (let answer = ''; !answer.endsWith('answer'); ) answer = await ask(connectTo()).catch(() => '');
});

test('bytes that are not HTTP get an error, and the next client is served', async (t) => {
  const connectTo = serve(t, {});
  const hostile = connectTo();
  hostile.write('\x16\x03\x01 nonsense\r\n\r\n');
  assert.match(await text(hostile), /^HTTP\/1\.1 400 /);
  assert.match(await ask(connectTo()), /answer$/);
});
