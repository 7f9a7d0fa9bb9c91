import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type NamedCells, TableData } from '../../tables/table-data.js';
import type { Batch, RowGroup } from '../rows.js';
import { otlpRequests } from './otlp-receiver.js';
import { otlpResources } from './otlp-rows.js';

const MORNING = Date.UTC(2026, 10, 27, 8) * 1000;

function group(table: RowGroup['table'], ...cells: readonly NamedCells[]): RowGroup {
  const rows = new TableData(table, 'fleet');
  for (const row of cells) rows.add(row);
  return { table, date: '2026-11-27', service: 'shop', host: 'box', rows };
}
const who = (at: number): NamedCells => ({ time: MORNING + at, pid: 7, program: 'server.js', release: '1.2', thread: 0 });
const call = (name: string, at: number, depth: number, us: number, more: NamedCells = {}): NamedCells => ({
  ...who(at),
  ...{ function: name, file: '/srv/a.js', line: 3, own: true, depth },
  ...{ duration: us * 1000, self: us * 1000, total: us * 1000, ...more },
});
const batch = (...groups: readonly RowGroup[]): Batch => ({ id: 'run-000001', groups });

test('calls are spans inside those of their callers, with ids that follow from the batch', () => {
  const rows = [
    call('tax', 20, 1, 5),
    call('price', 10, 0, 30),
    call('tax', 60, 1, 5),
    call('wait', 70, 0, 5, { total: null, suspended: true }),
  ];
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

test('what is done for a span of the program’s SDK is inside of it', () => {
  const [order, tax] = [
    { trace_id: 'aa', span_id: '01' },
    { trace_id: 'aa', span_id: '02' },
  ];
  const rows = [call('sum', 20, 2, 5, tax), call('tax', 15, 1, 15, tax), call('order', 10, 0, 30, order)];
  const log = { ...who(0), ...order, system: 'ftrace', event: 'print', fields: '{"buf":"hello"}' };
  const [{ spans, logs }] = otlpResources(batch(group('calls', ...rows), group('events', log))) as [
    ReturnType<typeof otlpResources>[0],
  ];
  assert.deepEqual(
    spans.map(({ traceId, parentSpanId }) => [traceId, parentSpanId]),
    [
      ['aa', spans[1]!.spanId],
      ['aa', '02'],
      ['aa', '01'],
    ],
  );
  assert.deepEqual([logs[0]!.traceId, logs[0]!.spanId], ['aa', '01']);
});

test('the end of a request is a span, what the program writes a log, any other event a log with a name', () => {
  const end = { method: 'GET', url: '/items?x=1', status: 503, duration: 2_000_000, error: '' };
  const event = (at: number, system: string, name: string, fields: object): NamedCells => ({
    ...who(at),
    ...{ context: 7, system, event: name, fields: JSON.stringify(fields) },
  });
  const rows: readonly NamedCells[] = [
    event(0, 'http', 'server_request_end', end),
    event(1, 'ftrace', 'print', { buf: 'hello' }),
    event(2, 'shop', 'order', { id: 3, tags: ['a'], address: '18446744073709551615' }),
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
      group('histograms', {
        ...who(0),
        ...{ system: 'shop', event: 'order', trigger: 'keys=id', key: '{"id":"3"}', hitcount: 12, values: '{"total":90}' },
      }),
      group('lost', { ...who(1), events: 5, reason: 'buffer' }),
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
