import { createHash } from 'node:crypto';
import type { Cell, TableName } from '../../tables/columns.js';
import type { NamedCells } from '../../tables/table-data.js';
import type { Batch, Origin, RowGroup } from '../rows.js';
import { attributesOf, type OtlpLog, type OtlpMetric, type OtlpSpan, SPAN_KIND, unixNano } from './otlp-types.js';

/** What one process sends. */
export interface OtlpResource {
  readonly attributes: ReturnType<typeof attributesOf>;
  readonly spans: readonly OtlpSpan[];
  readonly logs: readonly OtlpLog[];
  readonly metrics: readonly OtlpMetric[];
}

/** A part of what a process sends, while it is put together. */
interface Parts {
  readonly spans: OtlpSpan[];
  readonly logs: OtlpLog[];
  readonly metrics: Map<
    string,
    { readonly metric: Omit<OtlpMetric, 'sum'>; readonly temporality: 1 | 2; readonly points: Point[] }
  >;
}
type Point = OtlpMetric['sum']['dataPoints'][number];

/** Events that are spans, because they tell of the end of a request with its duration. */
const REQUEST_ENDS: Readonly<Record<string, (typeof SPAN_KIND)['server' | 'client']>> = {
  server_request_end: SPAN_KIND.server,
  client_request_end: SPAN_KIND.client,
  undici_request_end: SPAN_KIND.client,
  undici_request_error: SPAN_KIND.client,
};

/** The ids of a span follow from its row, so that a batch that is sent again has the same ones. */
function idsOf(batch: string, table: TableName, row: number): { readonly traceId: string; readonly spanId: string } {
  const hash = createHash('sha256').update(`${batch} ${table} ${row}`).digest('hex');
  return { traceId: hash.slice(0, 32), spanId: hash.slice(32, 48) };
}

/** Rows of a batch as OTLP has them, by processes. */
export function otlpResources({ id, groups }: Batch): readonly OtlpResource[] {
  const resources = new Map<string, { readonly attributes: OtlpResource['attributes']; readonly parts: Parts }>();
  for (const group of groups) {
    const rows = [...group.rows.rows()];
    const partsOf = (row: NamedCells): Parts => {
      const key = `${group.service}\n${row.pid}\n${row.program}`;
      let known = resources.get(key);
      if (known === undefined) {
        known = { attributes: resourceAttributes(group, row), parts: { spans: [], logs: [], metrics: new Map() } };
        resources.set(key, known);
      }
      return known.parts;
    };
    MAKERS[group.table](rows, partsOf, (row) => idsOf(`${id} ${group.date} ${group.service}`, group.table, row));
  }
  return Array.from(resources.values(), ({ attributes, parts: { spans, logs, metrics } }) => ({
    attributes,
    spans,
    logs,
    metrics: Array.from(metrics.values(), ({ metric, temporality, points }) => ({
      ...metric,
      sum: { aggregationTemporality: temporality, isMonotonic: true as const, dataPoints: points },
    })),
  }));
}

const resourceAttributes = ({ service, host }: Origin & Pick<RowGroup, 'table'>, row: NamedCells) =>
  attributesOf({
    'service.name': service,
    'service.version': row.release as string,
    'host.name': host,
    'process.pid': row.pid as number,
    'process.command': row.program as string,
    'telemetry.sdk.name': 'fentry',
    'telemetry.sdk.language': 'nodejs',
  });

type Maker = (
  rows: readonly NamedCells[],
  partsOf: (row: NamedCells) => Parts,
  ids: (row: number) => { readonly traceId: string; readonly spanId: string },
) => void;

const num = (cell: Cell | undefined): number => Number(cell ?? 0);
const str = (cell: Cell | undefined): string => String(cell ?? '');

const MAKERS: Readonly<Record<TableName, Maker>> = {
  calls(rows, partsOf, ids) {
    // A call is told when it ends: backwards, callers come before what they called.
    const open = new Map<string, CallInside[]>();
    const made: [NamedCells, OtlpSpan][] = [];
    for (let at = rows.length - 1; at >= 0; at--) {
      const row = rows[at]!;
      if (row.total === null) continue;
      const thread = `${row.pid} ${row.thread}`;
      const stack = open.get(thread) ?? [];
      open.set(thread, stack);
      const depth = num(row.depth);
      const span = callSpan(row, ids(at), stack[depth - 1]);
      stack.length = Math.min(stack.length, depth);
      stack[depth] = { row, span };
      made.push([row, span]);
    }
    for (const [row, span] of made.reverse()) partsOf(row).spans.push(span);
  },
  events(rows, partsOf, ids) {
    for (const [at, row] of rows.entries()) {
      const fields = JSON.parse(str(row.fields)) as Readonly<Record<string, string | number>>;
      const kind = row.system === 'http' ? REQUEST_ENDS[str(row.event)] : undefined;
      if (kind === undefined) partsOf(row).logs.push(eventLog(row, fields));
      else partsOf(row).spans.push(requestSpan(row, fields, kind, ids(at)));
    }
  },
  turns(rows, partsOf, ids) {
    for (const [at, row] of rows.entries()) {
      partsOf(row).spans.push({
        ...ids(at),
        name: 'event loop turn',
        kind: SPAN_KIND.internal,
        startTimeUnixNano: unixNano(num(row.time)),
        endTimeUnixNano: unixNano(num(row.time), num(row.duration)),
        attributes: attributesOf({ ...codeOf(row), 'fentry.began': str(row.began), 'fentry.share': num(row.share) }),
      });
    }
  },
  histograms(rows, partsOf) {
    for (const row of rows) {
      const key = JSON.parse(str(row.key)) as Readonly<Record<string, string>>;
      const values = JSON.parse(str(row.values)) as Readonly<Record<string, number>>;
      const attributes = { ...key, 'fentry.trigger': str(row.trigger) };
      for (const [name, value] of Object.entries({ hitcount: num(row.hitcount), ...values })) {
        addPoint(partsOf(row), `fentry.${row.system}.${row.event}.${name}`, 2, num(row.time), value, attributes);
      }
    }
  },
  lost(rows, partsOf) {
    for (const row of rows) {
      const attributes = { reason: str(row.reason), 'thread.id': num(row.thread) };
      addPoint(partsOf(row), 'fentry.lost', 1, num(row.time), num(row.events), attributes);
    }
  },
};

const workOf = (row: NamedCells) => ({ 'fentry.context': row.context === null ? null : num(row.context) });

const codeOf = (row: NamedCells) => ({
  'code.function.name': str(row.function),
  'code.file.path': str(row.file),
  'code.line.number': row.line === null ? null : num(row.line),
  'fentry.package': str(row.package),
  'thread.id': num(row.thread),
});

/** A call that others are inside of. */
interface CallInside {
  readonly row: NamedCells;
  readonly span: OtlpSpan;
}

/**
 * What a call's span is inside of: that of its caller, if both work for the same span of the program's SDK; else that one.
 */
function insideOf(
  row: NamedCells,
  start: string,
  around: CallInside | undefined,
): Partial<Pick<OtlpSpan, 'traceId' | 'parentSpanId'>> {
  const isInside = around !== undefined && BigInt(around.span.startTimeUnixNano) <= BigInt(start);
  if (isInside && around.row.span_id === row.span_id) return { traceId: around.span.traceId, parentSpanId: around.span.spanId };
  return row.trace_id ? { traceId: str(row.trace_id), parentSpanId: str(row.span_id) } : {};
}

function callSpan(
  row: NamedCells,
  ids: { readonly traceId: string; readonly spanId: string },
  around: CallInside | undefined,
): OtlpSpan {
  const ended = num(row.duration);
  const startTimeUnixNano = unixNano(num(row.time), ended - num(row.total));
  const endTimeUnixNano = unixNano(num(row.time), ended);
  return {
    ...ids,
    ...insideOf(row, startTimeUnixNano, around),
    name: str(row.function),
    kind: SPAN_KIND.internal,
    startTimeUnixNano,
    endTimeUnixNano,
    attributes: attributesOf({ ...codeOf(row), 'fentry.self_ns': num(row.self), ...workOf(row) }),
  };
}

function requestSpan(
  row: NamedCells,
  fields: Readonly<Record<string, string | number>>,
  kind: OtlpSpan['kind'],
  ids: { readonly traceId: string; readonly spanId: string },
): OtlpSpan {
  const [path = '', query] = str(fields['url']).split('?');
  const duration = num(fields['duration']);
  const status = num(fields['status']);
  const error = str(fields['error']);
  const hasFailed = (error !== '' && error !== '0') || status >= 500;
  return {
    ...ids,
    ...(row.trace_id && { traceId: str(row.trace_id), parentSpanId: str(row.span_id) }),
    name: `${fields['method']} ${path}`,
    kind,
    startTimeUnixNano: unixNano(num(row.time), -duration),
    endTimeUnixNano: unixNano(num(row.time)),
    attributes: attributesOf({
      'http.request.method': str(fields['method']),
      'url.path': path,
      'url.query': query,
      'server.address': str(fields['host']),
      'http.response.status_code': status === 0 ? null : status,
      'error.type': hasFailed ? error || String(status) : null,
      'thread.id': num(row.thread),
      ...workOf(row),
    }),
    ...(hasFailed && { status: { code: 2 as const, ...(error !== '' && { message: error }) } }),
  };
}

function eventLog(row: NamedCells, fields: Readonly<Record<string, unknown>>): OtlpLog {
  const time = unixNano(num(row.time));
  const isPrint = row.system === 'ftrace' && row.event === 'print';
  const values = Object.entries(fields).map(([name, value]) => [name, typeof value === 'object' ? JSON.stringify(value) : value]);
  const known = { 'thread.id': num(row.thread), ...workOf(row) };
  return {
    timeUnixNano: time,
    observedTimeUnixNano: time,
    ...(row.trace_id && { traceId: str(row.trace_id), spanId: str(row.span_id) }),
    ...(isPrint
      ? { body: { stringValue: str(fields['buf'] as string) }, attributes: attributesOf(known) }
      : { eventName: `${row.system}.${row.event}`, attributes: attributesOf({ ...known, ...Object.fromEntries(values) }) }),
  };
}

function addPoint(
  { metrics }: Parts,
  name: string,
  temporality: 1 | 2,
  time: number,
  value: number,
  attributes: Parameters<typeof attributesOf>[0],
): void {
  let known = metrics.get(name);
  if (known === undefined) {
    const metric = { name, description: 'fentry collect', unit: '1' };
    metrics.set(name, (known = { metric, temporality, points: [] }));
  }
  known.points.push({ timeUnixNano: unixNano(time), asInt: String(value), attributes: attributesOf(attributes) });
}
