import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { test } from 'node:test';
import { sock } from './sock.js';
import { echoOnce, portOf } from './testing/echo.js';
import { type Call, recordCalls } from './testing/record-calls.js';

const STATES = [
  '',
  'ESTABLISHED',
  'SYN_SENT',
  'SYN_RECV',
  'FIN_WAIT1',
  'FIN_WAIT2',
  '',
  'CLOSE',
  'CLOSE_WAIT',
  'LAST_ACK',
  'LISTEN',
];

/** What each socket went through, by the socket. */
function lives(calls: readonly Call[]): readonly string[] {
  const byId = new Map<unknown, string[]>();
  for (const { event, skaddr, oldstate, newstate } of calls) {
    if (event !== 'inet_sock_set_state') continue;
    const states = byId.get(skaddr) ?? [STATES[oldstate as number]!];
    byId.set(skaddr, [...states, STATES[newstate as number]!]);
  }
  return [...byId.values()].map((states) => states.join(' '));
}

test('the states of a server, a client and a connection that was accepted', async () => {
  let port = 0;
  const calls = await recordCalls(sock, async () => {
    port = await echoOnce('hello');
  }, ['inet_sock_set_state']);
  assert.deepEqual([...lives(calls)].sort(), [
    'CLOSE LISTEN CLOSE',
    'CLOSE SYN_SENT ESTABLISHED FIN_WAIT1 CLOSE',
    'SYN_RECV ESTABLISHED CLOSE_WAIT LAST_ACK CLOSE',
  ]);
  const connected = calls.find(({ oldstate, newstate }) => oldstate === 2 && newstate === 1);
  assert.deepEqual(
    [connected?.dport, connected?.family, connected?.daddr, connected?.daddr_v6],
    [port, 2, [127, 0, 0, 1], [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 127, 0, 0, 1]],
  );
});

test('a connection that is refused', async () => {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = portOf(server);
  server.close();
  await once(server, 'close');
  const calls = await recordCalls(sock, () => once(net.connect(port, '127.0.0.1'), 'close').catch(() => {}));
  assert.deepEqual(lives(calls), ['CLOSE SYN_SENT CLOSE']);
  const [failed] = calls.filter(({ event }) => event === 'inet_sk_error_report');
  assert.deepEqual([failed?.error, failed?.dport, failed?.daddr], [111, port, [127, 0, 0, 1]]);
});

test('lengths of what is sent and received', async () => {
  const calls = await recordCalls(sock, () => echoOnce('hello'), ['sock_send_length', 'sock_recv_length']);
  assert.deepEqual(
    calls
      .filter(({ protocol }) => protocol === 6)
      .map(({ event, ret }) => `${event} ${ret}`)
      .sort(),
    [
      'sock_recv_length 0',
      'sock_recv_length 0',
      'sock_recv_length 5',
      'sock_recv_length 5',
      'sock_send_length 5',
      'sock_send_length 5',
    ],
  );
});

test('a connection that was there before is recorded, and is left as it was', async () => {
  const server = net.createServer((socket) => socket.on('data', (data) => socket.write(data))).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = net.connect(portOf(server), '127.0.0.1');
  await once(client, 'connect');
  client.write('before');
  await once(client, 'data');
  const handle = (client as unknown as { _handle: { onread: unknown } })._handle;
  const { onread } = handle;
  const calls = await recordCalls(sock, async () => {
    assert.notEqual(handle.onread, onread);
    client.write('during!');
    await once(client, 'data');
  }, ['sock_recv_length']);
  assert.equal(handle.onread, onread);
  client.destroy();
  server.close();
  await once(server, 'close');
  assert.deepEqual(
    calls.map(({ ret }) => ret),
    [7, 7],
  );
});
