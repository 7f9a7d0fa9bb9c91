/** The parts of OTLP that rows become, as its JSON has them: 64-bit numbers are texts, ids are hexadecimal. */
export interface AnyValue {
  readonly stringValue?: string;
  readonly boolValue?: boolean;
  readonly intValue?: string;
  readonly doubleValue?: number;
}

export interface KeyValue {
  readonly key: string;
  readonly value: AnyValue;
}

/** Kinds of spans. */
export const SPAN_KIND = { internal: 1, server: 2, client: 3 } as const;

export interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: (typeof SPAN_KIND)[keyof typeof SPAN_KIND];
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly KeyValue[];
  /** 2: an error. */
  readonly status?: { readonly code: 2; readonly message?: string };
}

export interface OtlpLog {
  readonly timeUnixNano: string;
  readonly observedTimeUnixNano: string;
  /** The span of the program's SDK that it was written for. */
  readonly traceId?: string;
  readonly spanId?: string;
  readonly eventName?: string;
  readonly body?: AnyValue;
  readonly attributes: readonly KeyValue[];
}

export interface OtlpMetric {
  readonly name: string;
  readonly description: string;
  readonly unit: string;
  readonly sum: {
    /** 1: since the last one, 2: since the beginning. */
    readonly aggregationTemporality: 1 | 2;
    readonly isMonotonic: true;
    readonly dataPoints: readonly {
      readonly timeUnixNano: string;
      readonly asInt: string;
      readonly attributes: readonly KeyValue[];
    }[];
  };
}

type Value = string | number | boolean;

/** Attributes of what is known: null and empty texts are left out. */
export const attributesOf = (values: Readonly<Record<string, Value | null | undefined>>): readonly KeyValue[] =>
  Object.entries(values).flatMap(([key, value]) =>
    value === null || value === undefined || value === '' ? [] : [{ key, value: anyValue(value) }],
  );

function anyValue(value: Value): AnyValue {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

/** Nanoseconds since 1970 of microseconds since 1970, and nanoseconds after these. */
export const unixNano = (microseconds: number, ns = 0): string =>
  String(BigInt(Math.round(microseconds)) * 1000n + BigInt(Math.round(ns)));
