import assert from 'node:assert/strict';
import diagnosticsChannel, { channel, hasSubscribers, tracingChannel } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { descriptorsOf, EventLog } from '../testing/event-log.js';
import { diagnosticsChannels } from './diagnostics-channel.js';
import { eventNameOf } from './event-name.js';
import { dataAt } from './message-event.js';

/** The records, without the numbers of their messages. */
const withoutNumbers = (log: EventLog): unknown[] => log.take().map(([event, { object: _number, ...fields }]) => [event, fields]);

test('a channel that Node documents is an event with the fields of its messages', async (t) => {
  const server = createServer((_request, response) => {
    response.statusCode = 418;
    response.end();
  });
  await once(server.listen(0), 'listening');
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const log = new EventLog(diagnosticsChannels);
  log.enable('http_client_request_start', 'http_server_request_start', 'http_client_response_finish');
  const [response] = await once(get({ port, path: '/tea', host: '127.0.0.1' }), 'response');
  await once(response.resume(), 'close');
  log.disable();
  assert.deepEqual(withoutNumbers(log), [
    ['http_client_request_start', { method: 'GET', host: '127.0.0.1', path: '/tea' }],
    ['http_server_request_start', { method: 'GET', url: '/tea' }],
    ['http_client_response_finish', { method: 'GET', host: '127.0.0.1', path: '/tea', status: 418 }],
  ]);
  assert.equal(hasSubscribers('http.client.request.start'), false);
});

test('a channel becomes an event when it is first used', () => {
  const early = channel('app.early');
  const log = new EventLog(diagnosticsChannels);
  log.enable('channel');
  assert.equal(early.hasSubscribers, false);
  const { channel: made } = diagnosticsChannel;
  made('app.made');
  tracingChannel('app.traced').traceSync(() => {}, {});
  const own = Symbol('own one');
  channel(own).publish(1);
  channel('app-early').publish(1);
  log.disable();
  const found = log.take().map(([, { name, event }]) => [name, event]);
  assert.deepEqual(found.slice(0, 3), [
    ['app.early', 'app_early'],
    ['app.made', 'app_made'],
    ['tracing:app.traced:start', 'tracing_app_traced_start'],
  ]);
  assert.deepEqual(found.slice(-2), [
    [own, 'own_one'],
    ['app-early', 'app_early_2'],
  ]);
});

test('the event of a channel that was found records its messages', () => {
  const used = channel('app.found');
  const log = new EventLog(diagnosticsChannels);
  log.enable('channel');
  used.publish('not yet an event');
  log.enable('app_found');
  const message = { id: 7 };
  used.publish(message);
  log.disable();
  used.publish('no event any more');
  assert.equal(used.hasSubscribers, false);
  assert.deepEqual(withoutNumbers(log), [
    ['channel', { name: 'app.found', event: 'app_found' }],
    ['app_found', { msg: message }],
  ]);
});

test('who listens hears the same, in the same order', () => {
  const heard: unknown[] = [];
  const used = channel('app.heard');
  const listener = (message: unknown): void => void heard.push(message);
  used.subscribe(listener);
  const log = new EventLog(diagnosticsChannels);
  log.enable('channel');
  used.publish(1);
  log.enable('app_heard');
  used.publish(2);
  log.disable();
  used.publish(3);
  used.unsubscribe(listener);
  assert.deepEqual(heard, [1, 2, 3]);
  assert.deepEqual(withoutNumbers(log).at(-1), ['app_heard', { msg: 2 }]);
});

test('afterwards nothing is left', () => {
  const active = channel('app.active');
  const listener = (): void => {};
  active.subscribe(listener);
  const objects = [diagnosticsChannel, diagnosticsChannel.Channel.prototype, Object.getPrototypeOf(active) as object];
  const before = descriptorsOf(...objects);
  const log = new EventLog(diagnosticsChannels);
  log.enable();
  log.disable();
  assert.deepEqual(descriptorsOf(...objects), before);
  active.unsubscribe(listener);
});

test('reading a message runs nothing of the program', () => {
  const trap = (): never => assert.fail('the program’s code ran');
  const message = {
    get request() {
      return trap();
    },
    proxy: new Proxy({}, { get: trap, getOwnPropertyDescriptor: trap, getPrototypeOf: trap }),
    plain: Object.create({ method: 'GET' }) as object,
  };
  assert.deepEqual(
    ['request.method', 'proxy.method', 'plain.method', 'plain.method.length.x', 'missing.x'].map((path) =>
      dataAt(message, path.split('.')),
    ),
    [undefined, undefined, 'GET', undefined, undefined],
  );
});

test('a channel’s name becomes an event’s', () => {
  assert.equal(eventNameOf('tracing:net.server.listen:asyncStart'), 'tracing_net_server_listen_asyncStart');
  assert.equal(eventNameOf('2 fast/…'), '_2_fast__');
  assert.equal(eventNameOf(Symbol()), '_');
  assert.equal(eventNameOf('x'.repeat(500)).length, 120);
});
