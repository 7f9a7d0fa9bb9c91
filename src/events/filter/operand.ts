import { COMMON_FIELDS, type EventDefinition } from '../define.js';
import type { EventField } from '../fields.js';

/** The integers that predicates compare. An address is given as the number that its 64 bits are with their sign. */
export const INTEGER_TYPES = {
  u8: { bits: 8, signed: false },
  s8: { bits: 8, signed: true },
  u16: { bits: 16, signed: false },
  s16: { bits: 16, signed: true },
  u32: { bits: 32, signed: false },
  s32: { bits: 32, signed: true },
  u64: { bits: 64, signed: false },
  s64: { bits: 64, signed: true },
  address: { bits: 64, signed: false },
} as const;

export type IntegerTypeName = keyof typeof INTEGER_TYPES;

/**
 * What a predicate looks at, when the event happens: the field at a place of the event's declaration, a field of the record's
 * header, the cpu, or the name of the task (`comm`, at most 15 bytes).
 *
 * The values have these types: an integer of at most 32 bits is a number; one of 64 bits is a number where that is exact, else a
 * bigint; an address (`isAddress` of its FieldSpec) is the number that its 64 bits are with their sign; a text is a string
 * without NUL, cut to the bytes that its field holds, or anything else for a `const char *` that cannot be read; an array of
 * integers is an array of those.
 */
export type Operand =
  | { readonly from: 'field'; readonly slot: number; readonly name: string }
  | { readonly from: 'header'; readonly name: keyof typeof COMMON_FIELDS }
  | { readonly from: 'cpu' }
  | { readonly from: 'comm' };

/** What kind of value an operand is. */
export type OperandType =
  /**
   * An integer; with `elements`, an array of integers of so many bits each, that is compared as the one integer that its bytes
   * are.
   */
  | { readonly is: 'integer'; readonly type: IntegerTypeName; readonly elements?: number }
  /** `max`: bytes of it that a record holds. A pointer is a `const char *`, which may lead nowhere. */
  | { readonly is: 'text'; readonly max?: number; readonly isPointer?: boolean }
  /** The kernel compares such a field with nothing: no predicate is true of it. */
  | { readonly is: 'opaque'; readonly signed: boolean };

/** The event that a filter is for: its fields in declared order. */
export type FilteredEvent = Pick<EventDefinition, 'fields' | 'specs'>;

/** Bytes of a task's name (TASK_COMM_LEN), the zero byte among them. */
const COMM_BYTES = 16;

const CPU = { operand: { from: 'cpu' }, type: { is: 'integer', type: 's32' } } as const;
const COMM = { operand: { from: 'comm' }, type: { is: 'text', max: COMM_BYTES - 1 } } as const;

/** What every event has besides its fields (trace_define_generic_fields in kernel/trace/trace_events.c). */
const GENERIC: Readonly<Record<string, OperandAndType>> = { CPU, cpu: CPU, common_cpu: CPU, COMM, comm: COMM };

interface OperandAndType {
  readonly operand: Operand;
  readonly type: OperandType;
}

/** What a name in a filter means: a field of the event, else what every event has. */
export function findOperand({ fields, specs }: FilteredEvent, name: string): OperandAndType | undefined {
  const slot = Object.keys(fields).indexOf(name);
  if (slot >= 0) {
    const type = typeOf(fields[name]!, specs[name]?.isAddress === true && specs[name].shape === 'one');
    return { operand: { from: 'field', slot, name }, type };
  }
  if (Object.hasOwn(GENERIC, name)) return GENERIC[name];
  if (!Object.hasOwn(COMMON_FIELDS, name)) return undefined;
  const header = name as keyof typeof COMMON_FIELDS;
  return { operand: { from: 'header', name: header }, type: typeOf(COMMON_FIELDS[header], false) };
}

/** What a field's C type makes of it (filter_assign_type in kernel/trace/trace_events_filter.c). */
function typeOf({ type, array, size, signed }: EventField, isAddress: boolean): OperandType {
  const hasText = type.includes('char');
  if (/__data_loc|__rel_loc/.test(type)) return hasText ? { is: 'text' } : { is: 'opaque', signed };
  if (array !== '' && hasText) return size === 0 ? { is: 'text' } : { is: 'text', max: size - 1 };
  if (type === 'char *' || type === 'const char *') return { is: 'text', isPointer: true };
  if (isAddress) return { is: 'integer', type: 'address' };
  const bits = size * 8;
  const integer = (Object.keys(INTEGER_TYPES) as IntegerTypeName[]).find(
    (one) => INTEGER_TYPES[one].bits === bits && INTEGER_TYPES[one].signed === signed,
  );
  if (integer === undefined) return { is: 'opaque', signed };
  return array === ''
    ? { is: 'integer', type: integer }
    : { is: 'integer', type: integer, elements: bits / Number(array.slice(1, -1)) };
}
