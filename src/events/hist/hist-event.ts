import type { EventFormat } from '../define.js';
import { COMMON_FIELDS } from '../define.js';
import type { EventField } from '../fields.js';

/** What a hist trigger knows of an event: its names and its fields, in declared order. An event's definition is one. */
export type HistEvent = Pick<EventFormat, 'system' | 'name' | 'fields'>;

/** How a text lies in a record (enum filter type): `fixed` in the record, `dynamic` behind it; `pointer` is an address only. */
export type TextKind = 'fixed' | 'dynamic' | 'pointer';

/** A field of an event as hist triggers see it (struct ftrace_event_field). */
export interface HistEventField {
  readonly name: string;
  /** The C type with what follows the name: `char[16]`. */
  readonly type: string;
  readonly size: number;
  readonly isSigned: boolean;
  /** What kind of text it is; undefined for numbers and other arrays. */
  readonly text: TextKind | undefined;
}

/** filter_assign_type in kernel/trace/trace_events_filter.c. */
function textKind(type: string): TextKind | undefined {
  if (type.includes('__data_loc') && type.includes('char')) return 'dynamic';
  if (type.includes('[') && type.includes('char')) return 'fixed';
  return type === 'char *' || type === 'const char *' ? 'pointer' : undefined;
}

const histField = (name: string, { type, array, size, signed }: EventField): HistEventField => {
  // Format files of synthetic events do not show how long a text of fixed length is.
  const whole = type + (array === '[]' && size > 0 ? `[${size}]` : array);
  return { name, type: whole, size, isSigned: signed, text: textKind(whole) };
};

/** Names of the cpu, which every event has. */
const CPU_NAMES: readonly string[] = ['cpu', 'CPU'];

/**
 * A field of an event, or of every event (trace_find_event_field); `cpu` for the names that mean the cpu. Fields without a size,
 * as COMM has none, do not count.
 */
export function findField(event: HistEvent, name: string): HistEventField | 'cpu' | undefined {
  if (Object.hasOwn(event.fields, name)) {
    const field = event.fields[name]!;
    return field.size === 0 ? undefined : histField(name, field);
  }
  if (Object.hasOwn(COMMON_FIELDS, name)) return histField(name, COMMON_FIELDS[name as keyof typeof COMMON_FIELDS]);
  return CPU_NAMES.includes(name) ? 'cpu' : undefined;
}

/** Whether two fields are alike enough for triggers to share a table (compatible_field). */
export function isSameField(a: HistEventField | undefined, b: HistEventField | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a.name === b.name && a.type === b.type && a.size === b.size && a.isSigned === b.isSigned;
}
