import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Batch, Row, RowGroup } from '../rows.js';
import { otlpRequests } from './otlp-receiver.js';
import { otlpResources } from './otlp-rows.js';

const MORNING = Date.UTC(2026, 10, 27, 8) * 1000;

const group = (table: RowGroup['table'], ...rows: readonly Row[]): RowGroup => ({
  ...{ table, date: '2026-11-27', service: 'shop', host: 'box', rows },
});
const who = (at: number): Row => [MORNING + at, 7, 'server.js', '1.2', 0];
const call = (name: string, at: number, depth: number, us: number, suspended = false): Row => [
  ...[...who(at), 7, name, '', '/srv/a.js', 3, true, depth, us * 1000, us * 1000, suspended],
];
const batch = (...groups: readonly RowGroup[]): Batch => ({ id: 'run-000001', groups });

test('calls are spans inside those of their callers, with ids that follow from the batch', () => {
  const rows = [call('tax', 20, 1, 5), call('price', 10, 0, 30), call('tax', 60, 1, 5), call('wait', 70, 0, 5, true)];
  const [resource, ...others] = otlpResources(batch(group('calls', ...rows)));
  assert.deepEqual(others, []);
  const [tax, price, alone, ...more] = resource!.spans;
  assert.deepEqual(more, [], 'what is suspended is no call');
  assert.deepEqual([tax!.name, tax!.parentSpanId, tax!.traceId], ['tax', price!.spanId, price!.traceId]);
  assert.equal(price!.parentSpanId, undefined);
  assert.equal(alone!.parentSpanId, undefined, 'its caller ends in a later batch');
  assert.equal(BigInt(price!.endTimeUnixNano) - BigInt(price!.startTimeUnixNano), 30_000n);
  assert.equal(price!.startTimeUnixNano, `${MORNING + 10}000`);
  assert.match(price!.traceId, /^[0-9a-f]{32}$/);
  assert.deepEqual(otlpResources(batch(group('calls', ...rows))), [resource]);
  assert.deepEqual(resource!.attributes.slice(0, 2), [
    { key: 'service.name', value: { stringValue: 'shop' } },
    { key: 'service.version', value: { stringValue: '1.2' } },
  ]);
});

test('the end of a request is a span, what the program writes a log, any other event a log with a name', () => {
  const end = { method: 'GET', url: '/items?x=1', status: 503, duration: 2_000_000, error: '' };
  const rows: readonly Row[] = [
    [...who(0), 7, 'http', 'server_request_end', JSON.stringify(end)],
    [...who(1), 7, 'ftrace', 'print', JSON.stringify({ buf: 'hello' })],
    [...who(2), 7, 'shop', 'order', JSON.stringify({ id: 3, tags: ['a'], address: '18446744073709551615' })],
  ];
  const [{ spans, logs }] = otlpResources(batch(group('events', ...rows))) as [ReturnType<typeof otlpResources>[0]];
  const [request] = spans;
  assert.deepEqual([request!.name, request!.kind, request!.status], ['GET /items', 2, { code: 2 }]);
  assert.equal(BigInt(request!.endTimeUnixNano) - BigInt(request!.startTimeUnixNano), 2_000_000n);
  assert.deepEqual(logs[0]!.body, { stringValue: 'hello' });
  assert.deepEqual([logs[1]!.eventName, logs[1]!.body], ['shop.order', undefined]);
  assert.deepEqual(logs[1]!.attributes.slice(-3), [
    { key: 'id', value: { intValue: '3' } },
    { key: 'tags', value: { stringValue: '["a"]' } },
    { key: 'address', value: { stringValue: '18446744073709551615' } },
  ]);
});

test('entries of histograms and losses are sums', () => {
  const [{ metrics }] = otlpResources(
    batch(
      group('histograms', [...who(0), 'shop', 'order', 'keys=id', '{"id":"3"}', 12, '{"total":90}']),
      group('lost', [...who(1), 5, 'buffer']),
    ),
  ) as [ReturnType<typeof otlpResources>[0]];
  assert.deepEqual(
    metrics.map(({ name, sum }) => [name, sum.aggregationTemporality, sum.dataPoints[0]!.asInt]),
    [
      ['fentry.shop.order.hitcount', 2, '12'],
      ['fentry.shop.order.total', 2, '90'],
      ['fentry.lost', 1, '5'],
    ],
  );
});

test('a large batch is several requests', () => {
  const rows = Array.from({ length: 4001 }, (_, i) => call('tax', i * 10, 0, 5));
  assert.deepEqual(
    otlpRequests(batch(group('calls', ...rows))).map(({ path }) => path),
    ['v1/traces', 'v1/traces', 'v1/traces'],
  );
});
