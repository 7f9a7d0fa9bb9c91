import assert from 'node:assert/strict';
import { channel } from 'node:diagnostics_channel';
import { once } from 'node:events';
import http from 'node:http';
import { test } from 'node:test';
import { net } from './net.js';
import { echoOnce, portOf } from './testing/echo.js';
import { type Call, recordCalls } from './testing/record-calls.js';

/** The calls without what the test runner writes to its pipe. */
const onLoopback = (calls: readonly Call[]): readonly Call[] => calls.filter(({ name }) => name === 'lo');

/** The calls of each socket. */
function groupBy(calls: readonly Call[]): Map<unknown, Call[]> {
  const groups = new Map<unknown, Call[]>();
  for (const call of calls) groups.set(call.skaddr, [...(groups.get(call.skaddr) ?? []), call]);
  return groups;
}

test('data is seen when it is queued, when it is sent, and when it comes', async () => {
  const calls = onLoopback(await recordCalls(net, () => echoOnce('hello')));
  assert.deepEqual(
    calls.map(({ event, len, name, rc }) => `${event} ${name} ${len}${rc === undefined ? '' : ` rc=${rc}`}`).sort(),
    [
      'net_dev_queue lo 5',
      'net_dev_queue lo 5',
      'net_dev_xmit lo 5 rc=0',
      'net_dev_xmit lo 5 rc=0',
      'netif_receive_skb lo 5',
      'netif_receive_skb lo 5',
    ],
  );
  const queued = calls.filter(({ event }) => event === 'net_dev_queue').map(({ skbaddr, skaddr }) => `${skbaddr} ${skaddr}`);
  const sent = calls.filter(({ event }) => event === 'net_dev_xmit').map(({ skbaddr, skaddr }) => `${skbaddr} ${skaddr}`);
  assert.deepEqual(sent, queued);
  assert.equal(new Set(calls.map(({ skaddr }) => skaddr)).size, 2);
});

test('a connection that a server accepts, and the end of what the other end sends', async () => {
  const calls = await recordCalls(net, () => echoOnce('hello'), ['server_connection', 'stream_end']);
  const [accepted] = calls.filter(({ event }) => event === 'server_connection');
  assert.equal(accepted?.remote, '127.0.0.1');
  assert.ok(Number(accepted?.port) > 0 && Number(accepted?.fd) > 0);
  const ends = calls.filter(({ event }) => event === 'stream_end');
  assert.ok(ends.some(({ skaddr, port }) => skaddr === accepted?.skaddr && port === accepted?.port));
});

test('what an HTTP server reads is seen, though Node’s parser takes it from the socket', async () => {
  const server = http.createServer((request, response) => request.resume().on('end', () => response.end('ok')));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  let sentBytes = 0;
  const agent = new http.Agent({ keepAlive: true });
  const calls = await recordCalls(net, async () => {
    for (let i = 0; i < 2; i++) {
      const request = http.request({ port: portOf(server), host: '127.0.0.1', method: 'POST', agent });
      request.end('x'.repeat(1000));
      const [response] = await once(request, 'response');
      response.resume();
      await once(response, 'end');
      sentBytes = request.socket!.bytesWritten;
    }
  });
  agent.destroy();
  server.close();
  await once(server, 'close');
  const sockets = groupBy(onLoopback(calls));
  const sumOf = (id: unknown, event: string): number =>
    sockets.get(id)!.reduce((sum, call) => sum + (call.event === event ? Number(call.len) : 0), 0);
  const [client, accepted] = [...sockets.keys()];
  assert.equal(sumOf(client, 'net_dev_queue'), sentBytes);
  assert.equal(sumOf(accepted, 'netif_receive_skb'), sentBytes);
  assert.equal(sumOf(client, 'netif_receive_skb'), sumOf(accepted, 'net_dev_queue'));
});

test('afterwards no listener is left, and the methods of the handles are Node’s own', async () => {
  const { TCP } = (process as unknown as { binding(name: string): { TCP: { prototype: object } } }).binding('tcp_wrap');
  const methods = (): unknown => {
    const own = TCP.prototype;
    const all = [own, Object.getPrototypeOf(own), Object.getPrototypeOf(Object.getPrototypeOf(own))];
    return all.map((one) => Object.getOwnPropertyDescriptors(one));
  };
  const before = methods();
  const hasListener = (): boolean[] =>
    ['net.server.socket', 'http.server.request.start'].map((name) => channel(name).hasSubscribers);
  await recordCalls(net, () => {
    assert.notDeepEqual(methods(), before);
    assert.deepEqual(hasListener(), [true, true]);
  });
  assert.deepEqual(methods(), before);
  assert.deepEqual(hasListener(), [false, false]);
});
