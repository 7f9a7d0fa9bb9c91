import type { ReadValue, VisitedEvent } from './call-visitor.js';

/** `"name":`, by names: there are few, and many events. */
const keys = new Map<string, string>();

function keyOf(field: string): string {
  let key = keys.get(field);
  if (key === undefined) keys.set(field, (key = `${JSON.stringify(field)}:`));
  return key;
}

const withoutBigInts = (_key: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);

function jsonOf(value: ReadValue | undefined): string {
  if (typeof value === 'number') return Number.isFinite(value) ? `${value}` : 'null';
  if (typeof value === 'string') return JSON.stringify(value);
  return typeof value === 'bigint' ? `"${value}"` : JSON.stringify(value ?? '', withoutBigInts);
}

/** The fields of an event as a JSON object. Whole numbers that a double may not hold are texts. */
export function fieldsJson(event: Pick<VisitedEvent, 'fields' | 'read'>): string {
  const { fields } = event;
  let json = '{';
  for (let i = 0; i < fields.length; i++) {
    const field = fields[i]!;
    json += `${i === 0 ? '' : ','}${keyOf(field)}${jsonOf(event.read(field))}`;
  }
  return `${json}}`;
}
