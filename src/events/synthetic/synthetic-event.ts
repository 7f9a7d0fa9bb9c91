import { C_TYPES, type CType } from '../c-types.js';
import { COMMON_BYTES, type EventDefinition, type EventFormat } from '../define.js';
import type { EventField, FieldSpec } from '../fields.js';

/** Fields of a synthetic event (SYNTH_FIELDS_MAX). */
export const MAX_FIELDS = 64;
export const SYSTEM = 'synthetic';

/** A field of a synthetic event (struct synth_field). */
export interface SyntheticField {
  readonly name: string;
  /** The C type with what follows the name, and `__data_loc ` before what has no fixed length. */
  readonly type: string;
  /** Bytes of the value. */
  readonly size: number;
  readonly isSigned: boolean;
  readonly isText: boolean;
  readonly isDynamic: boolean;
  readonly isStack: boolean;
}

/** A synthetic event as it was defined. */
export interface SyntheticEvent {
  readonly name: string;
  readonly fields: readonly SyntheticField[];
}

const DATA_LOC = '__data_loc ';

/** Conversions of the types, for the print format and the lines of `trace` (synth_field_fmt). */
const CONVERSIONS: Readonly<Record<string, string>> = {
  s64: '%lld',
  s32: '%d',
  u32: '%u',
  s16: '%d',
  u16: '%u',
  s8: '%d',
  u8: '%u',
  char: '%d',
  'unsigned char': '%u',
  int: '%d',
  'unsigned int': '%u',
  long: '%ld',
  'unsigned long': '%lu',
  bool: '%d',
  pid_t: '%d',
  gfp_t: '%x',
};

const conversionOf = ({ type, isText, isStack }: SyntheticField): string =>
  isText || isStack ? '%s' : (CONVERSIONS[type] ?? '%llu');

const argumentOf = ({ name, isText, isDynamic, isStack }: SyntheticField): string => {
  if (isText && isDynamic) return `__get_str(${name})`;
  return isStack ? `__get_stacktrace(${name})` : `REC->${name}`;
};

/** The print format (set_synth_event_print_fmt). */
export const printFormat = (fields: readonly SyntheticField[]): string =>
  [`"${fields.map((field) => `${field.name}=${conversionOf(field)}`).join(', ')}"`, ...fields.map(argumentOf)].join(', ');

/** `NAME\tTYPE FIELD; TYPE FIELD`: the event in `synthetic_events`; in `dynamic_events` behind `s:synthetic/`. */
export const listedEvent = ({ name, fields }: SyntheticEvent): string =>
  `${name}\t${fields.map((field) => `${field.type.replace(DATA_LOC, '')} ${field.name}`).join('; ')}`;

/** Bytes that every value takes, and those of a text of fixed length (STR_VAR_LEN_MAX). */
const SLOT_BYTES = 8;
const TEXT_SLOT_BYTES = 256;

function specOf({ type, isText, isStack, isDynamic, size }: SyntheticField): FieldSpec {
  if (isStack) return { type: 'unsigned long', shape: 'dynamic', count: 0, isAddress: false };
  if (isText) return { type: 'char', shape: isDynamic ? 'dynamic' : 'array', count: isDynamic ? 0 : size, isAddress: false };
  return { type: type as CType, shape: 'one', count: 0, isAddress: false };
}

function fieldOf({ type, size, isSigned, isDynamic }: SyntheticField, offset: number): EventField {
  const bracket = isDynamic ? -1 : type.indexOf('[');
  // The kernel's format file does not show how long the array is.
  const [plain, array] = bracket < 0 ? [type, ''] : [type.slice(0, bracket), '[]'];
  return { type: plain, array, offset, size, signed: isSigned };
}

/**
 * The definition of a synthetic event (synth_event_define_fields): each value takes 8 bytes, a text of fixed length 256,
 * whatever their types.
 */
export function defineSynthetic({ name, fields }: SyntheticEvent): EventDefinition {
  const laidOut: Record<string, EventField> = Object.create(null);
  const specs: Record<string, FieldSpec> = Object.create(null);
  let end = COMMON_BYTES;
  for (const field of fields) {
    laidOut[field.name] = fieldOf(field, end);
    specs[field.name] = specOf(field);
    end += field.isText && !field.isDynamic ? TEXT_SLOT_BYTES : SLOT_BYTES;
  }
  const print = printFormat(fields);
  return { system: SYSTEM, name, fields: laidOut, specs, addresses: [], end, size: end, print, hasId: true, hasTrigger: true };
}

/** Types of numbers that a synthetic event's field may have (synth_field_size). */
const NUMBER_TYPES: readonly CType[] = [
  's64',
  'u64',
  's32',
  'u32',
  's16',
  'u16',
  's8',
  'u8',
  'char',
  'unsigned char',
  'int',
  'unsigned int',
  'long',
  'unsigned long',
  'bool',
  'pid_t',
  'gfp_t',
];

/** Bytes of a number's type; undefined for what is none. */
export const numberSize = (type: string): number | undefined =>
  NUMBER_TYPES.includes(type as CType) ? C_TYPES[type as CType].size : undefined;

/** Whether a type of a synthetic event has a sign (synth_field_signed), which goes by its name alone. */
export const isSignedType = (type: string): boolean => !type.startsWith('u') && type !== 'gfp_t';

/**
 * A synthetic event with the print format of its lines in `trace` (print_synth_event), which is not that of its format file: no
 * commas, and integers of one or two bytes without a sign.
 */
export function asLine<E extends Pick<EventFormat, 'fields' | 'print'>>(event: E): E {
  const [format = ''] = /^"[^"]*"/.exec(event.print) ?? [];
  const rest = event.print.slice(format.length).replace(/REC->(\w+)/g, (whole, name: string) => {
    const { size = 0, array = '' } = event.fields[name] ?? {};
    return array === '' && size <= 2 ? `(u${8 * size})${whole}` : whole;
  });
  return { ...event, print: format.replaceAll(', ', ' ') + rest };
}
