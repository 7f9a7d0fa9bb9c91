import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listenToTracepoints } from './declared.js';
import { defineTrace } from './define-trace.js';
import { string, u64 } from './fields.js';
import { eventClass, traceEvent } from './trace-event.js';

interface Order {
  readonly id: number;
  readonly customer: string;
}

const placed = traceEvent<[order: Order]>('shop', 'order_placed', {
  args: ['order'],
  fields: { id: u64((order) => order.id), customer: string((order) => order.customer) },
  print: '"id=%llu customer=%s", REC->id, __get_str(customer)',
});

test('a tracepoint calls its probes, the one of the highest priority first, and none when they are gone', () => {
  const calls: unknown[] = [];
  const trace = defineTrace<[a: number, b: string]>('t', 'ordered', { args: ['a', 'b'] });
  const first = (a: number, b: string): unknown => calls.push(['first', a, b]);
  const late = (a: number, _b: string, data: unknown): unknown => calls.push(['late', a, data]);
  trace.registerProbe(late, { priority: 1, data: 'mine' });
  trace.registerProbe(first);
  trace(1, 'x');
  assert.deepEqual(calls, [
    ['first', 1, 'x'],
    ['late', 1, 'mine'],
  ]);
  assert.equal(trace.enabled(), true);
  trace.unregisterProbe(first);
  trace.unregisterProbe(late, 'mine');
  trace(2, 'y');
  assert.equal(calls.length, 2);
  assert.equal(trace.enabled(), false);
});

test('a probe is registered once with the same data, and removed once', () => {
  const trace = defineTrace<[]>('t', 'twice', { args: [] });
  const probe = (): void => {};
  trace.registerProbe(probe);
  assert.throws(() => trace.registerProbe(probe), { code: 'EEXIST' });
  trace.registerProbe(probe, { data: 1 });
  trace.unregisterProbe(probe);
  assert.throws(() => trace.unregisterProbe(probe), { code: 'ENOENT' });
  trace.unregisterProbe(probe, 1);
});

test('the callbacks are called for the first probe and for the last', () => {
  const heard: string[] = [];
  const trace = defineTrace<[]>('t', 'callbacks', {
    args: [],
    onFirst: () => heard.push('first'),
    onLast: () => heard.push('last'),
  });
  const [one, two] = [(): void => {}, (): void => {}];
  trace.registerProbe(one);
  trace.registerProbe(two);
  trace.unregisterProbe(one);
  assert.deepEqual(heard, ['first']);
  trace.unregisterProbe(two);
  assert.deepEqual(heard, ['first', 'last']);
});

test('a condition decides; one that throws is false', () => {
  const seen: number[] = [];
  const trace = defineTrace<[n: number]>('t', 'conditional', {
    args: ['n'],
    condition(n) {
      if (n === 0) throw new Error('no');
      return n > 1;
    },
  });
  trace.registerProbe((n) => seen.push(n));
  for (const n of [0, 1, 2]) trace(n);
  assert.deepEqual(seen, [2]);
});

test('a probe that is removed while the tracepoint fires is not called any more', () => {
  const calls: string[] = [];
  const trace = defineTrace<[]>('t', 'removed', { args: [] });
  const second = (): unknown => calls.push('second');
  trace.registerProbe(() => {
    calls.push('first');
    trace.unregisterProbe(second);
  });
  trace.registerProbe(second);
  trace();
  assert.deepEqual(calls, ['first']);
});

test('what a probe throws does not reach the program; the probe is dropped with a warning', async () => {
  const warned = new Promise<Error>((resolve) => process.once('warning', resolve));
  const trace = defineTrace<[]>('t', 'throwing', { args: [] });
  trace.registerProbe(() => {
    throw new TypeError('broken');
  });
  trace();
  assert.equal(trace.enabled(), false);
  assert.equal((await warned).message, 'a probe of t:throwing threw and is not called any more: TypeError: broken');
});

test('events of a class have its fields; fentry finds all, those that come later too', () => {
  const fields = { n: u64((n: number) => n) };
  const queue = eventClass<[n: number]>({ args: ['n'], fields, print: '"n=%llu", REC->n' });
  queue.event('shop', 'queue_push');
  const found: string[] = [];
  listenToTracepoints(({ tracepoint, parts }) => {
    if (tracepoint.system === 'shop') found.push(`${tracepoint.event}: ${parts?.print}`);
  });
  queue.event('shop', 'queue_pop', { print: '"popped %llu", REC->n' });
  assert.deepEqual(found, [
    'order_placed: "id=%llu customer=%s", REC->id, __get_str(customer)',
    'queue_push: "n=%llu", REC->n',
    'queue_pop: "popped %llu", REC->n',
  ]);
  assert.equal(placed.enabled(), false);
});

test('names that are no identifiers are refused', () => {
  assert.throws(() => defineTrace('shop', 'x-y', { args: [] }), { code: 'EINVAL', message: /"x-y" is not a name/ });
});
