import assert from 'node:assert/strict';
import { channel } from 'node:diagnostics_channel';
import { once } from 'node:events';
import nodeHttp from 'node:http';
import { after, before, test } from 'node:test';
import { http } from './http.js';
import { portOf } from './testing/echo.js';
import { type Call, recordCalls } from './testing/record-calls.js';

/** Answers each path: /slow never, /teapot with 418, all others with 1000 bytes. */
const server = nodeHttp.createServer((request, response) => {
  if (request.url === '/slow') return;
  if (request.url === '/teapot') response.statusCode = 418;
  request.url = '/changed-by-the-program';
  response.end('x'.repeat(1000));
});
let port: number;
before(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = portOf(server);
});
after(() => {
  server.closeAllConnections();
  server.close();
});

async function get(path: string, agent?: nodeHttp.Agent): Promise<void> {
  const request = nodeHttp.get({ host: '127.0.0.1', port, path, ...(agent && { agent }) });
  const [response] = await once(request, 'response');
  response.resume();
  await once(request, 'close');
}

/** The calls of one side, as lines without what differs from run to run. */
const lines = (calls: readonly Call[], side: string): readonly string[] =>
  calls
    .filter(({ event }) => event.startsWith(side))
    .map(({ event, id: _id, skaddr: _skaddr, bytes, duration: _duration, ...rest }) => {
      const big = bytes === undefined ? [] : [Number(bytes) > 1000 ? '>1000 bytes' : `${bytes} bytes`];
      return [event, ...Object.values(rest), ...big].join(' ').trim();
    });

test('a server’s requests and answers, also those on a connection that is kept', async () => {
  const agent = new nodeHttp.Agent({ keepAlive: true });
  const calls = await recordCalls(http, async () => {
    await get('/a', agent);
    await get('/teapot', agent);
  });
  agent.destroy();
  assert.deepEqual(
    lines(calls, 'server').map((line) => line.replace(/ +/g, ' ')),
    [
      'server_request_start GET /a',
      'server_request_end GET /a 200 >1000 bytes',
      'server_request_start GET /teapot',
      'server_request_end GET /teapot 418 >1000 bytes',
    ],
  );
  const ends = calls.filter(({ event }) => event === 'server_request_end');
  assert.equal(ends[0]?.skaddr, ends[1]?.skaddr);
  assert.notEqual(ends[0]?.id, ends[1]?.id);
  // Each end has the bytes of one answer, not of all on the connection.
  for (const { event, bytes } of calls) if (event.endsWith('_end')) assert.ok(Number(bytes) < 2000, `${event} ${bytes}`);
});

test('a client’s request, the head of its answer, and its end', async () => {
  const calls = await recordCalls(http, () => get('/b'));
  assert.deepEqual(
    lines(calls, 'client').map((line) => line.replace(/ +/g, ' ')),
    ['client_request_start GET 127.0.0.1 /b', 'client_response 200', 'client_request_end GET 127.0.0.1 /b 200 >1000 bytes'],
  );
});

test('a request that is given up ends on both sides, with the reason', async () => {
  const calls = await recordCalls(http, async () => {
    const request = nodeHttp.get({ host: '127.0.0.1', port, path: '/slow' });
    request.on('error', () => {});
    const closed = new Promise((resolve) => request.on('close', resolve));
    const [, response] = await once(server, 'request');
    const aborted = once(response, 'close');
    request.destroy();
    await closed;
    await aborted;
  });
  assert.deepEqual(
    [...lines(calls, 'client'), ...lines(calls, 'server')]
      .filter((line) => line.includes('_end'))
      .map((line) => line.replace(/ +/g, ' ')),
    ['client_request_end GET 127.0.0.1 /slow 0 ECONNRESET 0 bytes', 'server_request_end GET /slow 0 aborted 0 bytes'],
  );
});

test('requests of fetch()', async () => {
  const other = nodeHttp.createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const closedPort = portOf(other);
  other.close();
  await once(other, 'close');
  const calls = await recordCalls(http, async () => {
    await (await fetch(`http://127.0.0.1:${port}/c?d=e`)).text();
    await fetch(`http://127.0.0.1:${closedPort}/`).catch(() => {});
  });
  assert.deepEqual(
    lines(calls, 'undici').map((line) => line.replace(String(port), 'PORT').replace(String(closedPort), 'CLOSED')),
    [
      'undici_request_create GET http://127.0.0.1:PORT /c?d=e',
      'undici_request_headers 200',
      'undici_request_end GET http://127.0.0.1:PORT /c?d=e 200',
      'undici_request_create GET http://127.0.0.1:CLOSED /',
      'undici_request_error GET http://127.0.0.1:CLOSED / ECONNREFUSED',
    ],
  );
});

test('afterwards nothing listens, and the classes of node:http are as before', async () => {
  const classes = [nodeHttp.ClientRequest.prototype, nodeHttp.ServerResponse.prototype];
  const shapes = (): unknown => classes.map((one) => Object.getOwnPropertyDescriptors(one));
  const channels = [
    'http.server.request.start',
    'http.server.response.finish',
    'http.client.request.start',
    'undici:request:create',
  ];
  const before = shapes();
  await recordCalls(http, async () => {
    await get('/');
    assert.notDeepEqual(shapes(), before);
    assert.deepEqual(
      channels.map((name) => channel(name).hasSubscribers),
      [true, true, true, true],
    );
  });
  assert.deepEqual(shapes(), before);
  assert.deepEqual(
    channels.map((name) => channel(name).hasSubscribers),
    [false, false, false, false],
  );
});
