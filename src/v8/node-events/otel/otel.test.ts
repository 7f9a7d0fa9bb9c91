import assert from 'node:assert/strict';
import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import { test } from 'node:test';
import { descriptorsOf } from '../testing/event-log.js';
import { hear } from '../testing/heard-events.js';
import { otel } from './otel.js';

const API = Symbol.for('opentelemetry.js.api.1');
const SPAN = Symbol.for('OpenTelemetry Context Key SPAN');
const realm = globalThis as unknown as Record<symbol, unknown>;

/** A context as @opentelemetry/api has it, whose span has an id. */
const contextOf = (id: string, more: object = {}): object => ({
  _currentContext: new Map([[SPAN, { _spanContext: { traceId: `t${id}`, spanId: id }, name: `span ${id}`, ...more }]]),
});
const managerOf = (storage: AsyncLocalStorage<unknown>): object => ({ _asyncLocalStorage: storage });
const spansOf = (heard: readonly { readonly values: Readonly<Record<string, unknown>> }[]): readonly unknown[] =>
  heard.map(({ values }) => values['span_id']);

test('an SDK that registers later is followed, into contexts and back', async (t) => {
  const storage = new AsyncLocalStorage<unknown>();
  t.after(() => Reflect.deleteProperty(globalThis, API));
  const { heard, stop } = hear(otel, ['span_switch']);
  assert.equal(realm[API], undefined);
  realm[API] = { version: '1.9.0' };
  (realm[API] as Record<string, unknown>)['context'] = managerOf(storage);
  assert.deepEqual(Object.entries(realm[API] as object), [
    ['version', '1.9.0'],
    ['context', managerOf(storage)],
  ]);
  const result = storage.run(contextOf('a'), (x: number) => storage.run(contextOf('b', { parentSpanId: 'a' }), () => x + 1), 41);
  assert.equal(result, 42);
  assert.deepEqual(spansOf(heard), ['a', 'b', 'a', '']);
  assert.equal(heard[1]!.text, 'trace_id=tb span_id=b parent_id=a name=span b');
  heard.length = 0;

  await storage.run(contextOf('c'), async () => {
    await new Promise((done) => setImmediate(done));
    heard.length = 0;
    assert.throws(() => storage.exit(() => assert.fail('thrown')), /thrown/);
  });
  assert.deepEqual(spansOf(heard).slice(0, 2), ['', 'c']);
  heard.length = 0;

  const resource = storage.run(contextOf('d'), () => new AsyncResource('TEST'));
  storage.run(contextOf('e'), () => resource.runInAsyncScope(() => {}));
  assert.deepEqual(spansOf(heard), ['d', '', 'e', 'd', 'e', '']);
  stop();
});

test('nothing is left behind, and none of the program’s code runs', (t) => {
  const storage = new AsyncLocalStorage<unknown>();
  const manager = Object.defineProperty(managerOf(storage), 'evil', { get: () => assert.fail('a getter ran'), enumerable: true });
  realm[API] = { version: '1.9.0', context: manager };
  t.after(() => Reflect.deleteProperty(globalThis, API));
  storage.run({}, () => {});
  const before = descriptorsOf(storage, manager, realm[API] as object, AsyncResource.prototype);
  const { heard, stop } = hear(otel, ['span_switch']);
  assert.deepEqual(
    [storage.run.name, storage.run.length, Object.keys(storage)],
    [AsyncLocalStorage.prototype.run.name, AsyncLocalStorage.prototype.run.length, Object.keys(new AsyncLocalStorage())],
  );
  const evil = (): never => assert.fail('a getter ran');
  const hostile: readonly unknown[] = [
    new Proxy({}, { getOwnPropertyDescriptor: evil, get: evil }),
    Object.defineProperty({}, '_currentContext', { get: evil }),
    { _currentContext: { get: evil } },
    { _currentContext: new Map([[SPAN, Object.defineProperty({}, '_spanContext', { get: evil })]]) },
    { _currentContext: new Map([[SPAN, { _spanContext: { traceId: { toString: evil } } }]]) },
    { _currentContext: new Map([[SPAN, { _spanContext: { traceId: 't', spanId: 7 }, name: { toString: evil } }]]) },
    7,
  ];
  for (const context of hostile) storage.run(context, () => {});
  assert.deepEqual(
    heard.map(({ text }) => text),
    ['trace_id=t span_id= parent_id= name=', 'trace_id= span_id= parent_id= name='],
  );
  assert.throws(() => storage.run({}, undefined as never), TypeError);
  stop();
  assert.deepEqual(descriptorsOf(storage, manager, realm[API] as object, AsyncResource.prototype), before);
});

test('while it waits for an SDK, the global object seems to have none, and at the end has none', () => {
  const { stop } = hear(otel, ['span_switch']);
  assert.ok(!Object.keys(globalThis).includes(API as never));
  assert.equal(realm[API], undefined);
  stop();
  assert.ok(!(API in globalThis));
  realm[API] = 7;
  const again = hear(otel, ['span_switch']);
  assert.equal(realm[API], 7, 'it is something else');
  again.stop();
  Reflect.deleteProperty(globalThis, API);
});
