import type { VisitedEvent } from './call-visitor.js';

/** The fields of an event as a JSON object. Whole numbers that a double may not hold are texts. */
export const fieldsJson = (event: Pick<VisitedEvent, 'fields' | 'read'>): string =>
  JSON.stringify(Object.fromEntries(event.fields.map((field) => [field, event.read(field) ?? ''])), withoutBigInts);

const withoutBigInts = (_key: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);
