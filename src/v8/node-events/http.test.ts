import assert from 'node:assert/strict';
import { channel } from 'node:diagnostics_channel';
import { once } from 'node:events';
import nodeHttp from 'node:http';
import { after, before, test } from 'node:test';
import { http } from './http.js';
import { sock } from './sock.js';
import { portOf } from './testing/echo.js';
import { EventLog } from './testing/event-log.js';
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
    .map(({ event, id: _id, skaddr: _skaddr, port: _port, fd: _fd, bytes, duration: _duration, ...rest }) => {
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
      'server_request_start GET /a 127.0.0.1',
      'server_request_end GET /a 200 127.0.0.1 >1000 bytes',
      'server_request_start GET /teapot 127.0.0.1',
      'server_request_end GET /teapot 418 127.0.0.1 >1000 bytes',
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
    [
      'client_request_start GET 127.0.0.1 /b',
      'client_response 200 127.0.0.1',
      'client_request_end GET 127.0.0.1 /b 200 >1000 bytes',
    ],
  );
});

async function closedPort(): Promise<number> {
  const other = nodeHttp.createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const closed = portOf(other);
  other.close();
  await once(other, 'close');
  return closed;
}

test('the events of a client’s request have its connection, and come before what is sent for it', async () => {
  const records: Call[] = [];
  const logs = [http, sock].map((system) => new EventLog(system));
  for (const log of logs) {
    log.records.push = (...added) => records.push(...added.map(([event, fields]) => ({ ...fields, event })));
    log.enable();
  }
  const agent = new nodeHttp.Agent({ keepAlive: true });
  const closed = await closedPort();
  try {
    await get('/a', agent);
    await get('/b', agent);
    const failed = nodeHttp.get({ host: '127.0.0.1', port: closed });
    failed.on('error', () => {});
    await new Promise((resolve) => failed.on('close', resolve));
  } finally {
    for (const log of logs) log.disable();
    agent.destroy();
  }
  const starts = records.filter(({ event }) => event === 'client_request_start');
  const [first, second, refused] = starts.map(({ skaddr }) => skaddr);
  assert.equal(first, second, 'the connection was kept');
  assert.ok(first !== 0 && refused !== 0 && first !== refused);
  const of = (connection: unknown): string[] =>
    records
      .filter(({ skaddr, sk }) => (skaddr ?? sk) === connection)
      .map(({ event, newstate }) => `${event} ${newstate ?? ''}`.trim());
  const request = ['client_request_start', 'sock_send_length', 'sock_recv_length', 'client_response', 'client_request_end'];
  const kept = of(first).filter((event) => !event.startsWith('inet_'));
  assert.deepEqual(kept.slice(0, 10), [...request, ...request]);
  assert.deepEqual(of(refused), ['inet_sock_set_state 2', 'client_request_start', 'inet_sock_set_state 7', 'client_request_end']);
  assert.equal(records.find(({ event, skaddr }) => event === 'client_request_end' && skaddr === refused)?.error, 'ECONNREFUSED');
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
    ['client_request_end GET 127.0.0.1 /slow 0 ECONNRESET 0 bytes', 'server_request_end GET /slow 0 aborted 127.0.0.1 0 bytes'],
  );
});

test('requests of fetch()', async () => {
  const closed = await closedPort();
  const calls = await recordCalls(http, async () => {
    await (await fetch(`http://127.0.0.1:${port}/c?d=e`)).text();
    await fetch(`http://127.0.0.1:${closed}/`).catch(() => {});
  });
  assert.deepEqual(
    lines(calls, 'undici').map((line) => line.replace(String(port), 'PORT').replace(String(closed), 'CLOSED')),
    [
      'undici_request_create GET http://127.0.0.1:PORT /c?d=e',
      'undici_request_headers 200',
      'undici_request_end GET http://127.0.0.1:PORT /c?d=e 200',
      'undici_request_create GET http://127.0.0.1:CLOSED /',
      'undici_request_error GET http://127.0.0.1:CLOSED / ECONNREFUSED',
    ],
  );
  const [sent, ended] = ['headers', 'end'].map((name) => calls.find(({ event }) => event === `undici_request_${name}`)?.skaddr);
  assert.ok(sent !== 0 && sent === ended, 'undici tells the connection when it sends');
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
