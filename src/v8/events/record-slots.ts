import { SafeMap } from '../../base/safe-map.js';
import { C_TYPES } from '../../events/c-types.js';
import type { TraceEvent } from '../../events/define.js';
import type { EventField, FieldSpec } from '../../events/fields.js';
import { MAX_TEXT_SIZE } from '../../port/limits.js';

/** A field in generated code. */
export interface Slot {
  readonly name: string;
  readonly spec: FieldSpec;
  readonly field: EventField;
  /** The variable with the value, and for a dynamic field the one with its size in bytes. */
  readonly value: string;
  readonly bytes: string;
}

/** The fields of an event, in their order; of several dynamic texts each one. */
export const slotsOf = (event: TraceEvent): readonly Slot[] =>
  Object.entries<FieldSpec>(event.specs)
    .flatMap(([name, spec]) => partsOf(name, spec, event.fields[name]!))
    .map((part, i) => ({ ...part, value: `v${i}`, bytes: `n${i}` }));

type Part = Pick<Slot, 'name' | 'spec' | 'field'>;

function partsOf(name: string, spec: FieldSpec, field: EventField): readonly Part[] {
  if (spec.shape !== 'dynamics') return [{ name, spec, field }];
  const one: FieldSpec = { ...spec, shape: 'dynamic' };
  const size = field.size / spec.count;
  return Array.from({ length: spec.count }, (_, i) => ({
    name: `${name}[${i}]`,
    spec: one,
    field: { ...field, size, offset: field.offset + i * size },
  }));
}

/** The variable that holds the value of each field. */
export const slotNames = (event: TraceEvent): ReadonlyMap<string, string> =>
  new SafeMap(slotsOf(event).map(({ name, value }) => [name, value]));

export const isText = ({ spec }: Slot): boolean => spec.type === 'char' && spec.shape !== 'one';
export const isArray = ({ spec }: Slot): boolean => spec.shape !== 'one';
export const isDynamic = ({ spec }: Slot): boolean => spec.shape === 'dynamic' || spec.shape === 'rest';
export const elementBytes = ({ spec }: Slot): number => C_TYPES[spec.type].size;

/** The most bytes of each dynamic field. */
export const limitOf = (slots: readonly Slot[]): number =>
  Math.floor(MAX_TEXT_SIZE / Math.max(1, slots.filter(isDynamic).length));
