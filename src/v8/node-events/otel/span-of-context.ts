import { types } from 'node:util';
import { uncurry } from '../../realm/primordials.js';
import { ownValue } from '../boundary/values.js';

/** The ids of a span, as the SDK has them, in hexadecimal; all empty: none. */
export interface SpanIds {
  readonly trace: string;
  readonly span: string;
  /** The span that it is part of; empty for the first one of a trace. */
  readonly parent: string;
  /** What the program has named it; empty if the SDK does not record it. */
  readonly name: string;
}

/** No span is active. */
export const NO_SPAN: SpanIds = { trace: '', span: '', parent: '', name: '' };

// Taken before the program could replace them.
const { isMap } = types;
const mapGet = uncurry(Map.prototype.get) as (map: object, key: unknown) => unknown;
/** What @opentelemetry/api has the active span under, in each context. */
const SPAN_KEY = Symbol.for('OpenTelemetry Context Key SPAN');

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The span of a context of @opentelemetry/api 1.x. Reads own data alone: none of the program's code runs. */
export function spanOfContext(context: unknown): SpanIds {
  const entries = ownValue(context, '_currentContext');
  if (!isMap(entries)) return NO_SPAN;
  const span = mapGet(entries, SPAN_KEY);
  const ids = ownValue(span, '_spanContext');
  const trace = textOf(ownValue(ids, 'traceId'));
  if (trace === '') return NO_SPAN;
  // SDK 1.x has the id of the parent, 2.x its context.
  const parent = textOf(ownValue(span, 'parentSpanId')) || textOf(ownValue(ownValue(span, 'parentSpanContext'), 'spanId'));
  return { trace, span: textOf(ownValue(ids, 'spanId')), parent, name: textOf(ownValue(span, 'name')) };
}
