import type { FieldSpec, FieldSpecs } from '../../events/fields.js';
import type { TraceField } from '../../tracepoint/fields.js';

/** The fields of an event as its definition has them. */
export const fieldSpecs = (fields: Readonly<Record<string, TraceField<never>>>): FieldSpecs =>
  Object.fromEntries(
    Object.entries(fields).map(([name, { type, shape, count, isFunction = false }]) => [
      name,
      { type, shape, count, isAddress: isFunction } as FieldSpec,
    ]),
  );
