import { TextDecoder } from 'node:util';
import { C_TYPES, type CType, type Long } from './c-types.js';
import type { EventDefinition, ValuesOf } from './define.js';
import type { EventField, FieldSpec } from './fields.js';

/** Where a record lies. */
export interface RecordBytes {
  readonly bytes: Uint8Array;
  /** Index of the payload in 32-bit words; four times that in `bytes`. */
  readonly at: number;
  /** Bytes of the payload. */
  readonly size: number;
}

const TWO_32 = 2 ** 32;
/** High words below which a 64-bit number is exact as a double. */
const SAFE_HIGH = 2 ** 21;

/** The 64-bit number of two words. */
function longOf(high: number, low: number): Long {
  if (high < SAFE_HIGH && high >= -SAFE_HIGH) return high * TWO_32 + low;
  return (BigInt(high) << 32n) | BigInt(low);
}

type ReadNumber = (record: RecordBytes, offset: number) => Long;

// Bytes beyond the end of a damaged record are 0.
const byte = ({ bytes, at, size }: RecordBytes, offset: number): number => (offset < size ? bytes[at * 4 + offset]! : 0);
const half = (record: RecordBytes, offset: number): number => byte(record, offset) | (byte(record, offset + 1) << 8);
const word = (record: RecordBytes, offset: number): number => half(record, offset) | (half(record, offset + 2) << 16);

const UNSIGNED: Readonly<Record<number, ReadNumber>> = {
  1: byte,
  2: half,
  4: (record, offset) => word(record, offset) >>> 0,
  8: (record, offset) => longOf(word(record, offset + 4) >>> 0, word(record, offset) >>> 0),
};
const SIGNED: Readonly<Record<number, ReadNumber>> = {
  1: (record, offset) => (byte(record, offset) << 24) >> 24,
  2: (record, offset) => (half(record, offset) << 16) >> 16,
  4: word,
  8: (record, offset) => longOf(word(record, offset + 4), word(record, offset) >>> 0),
};

/** Reads integers of `size` bytes; undefined for a size that no integer has. */
const numberReader = (size: number, signed: boolean): ReadNumber | undefined => (signed ? SIGNED : UNSIGNED)[size];

/** Some bytes of a record, as offset from its start and length; both lie within it. */
type Range = readonly [offset: number, length: number];

/** The data of a field from its line in a format file: how to read its number, or its elements. */
export interface FieldAccess {
  /** The field's number; of an array its first element's, of a dynamic one what says where it lies. */
  number(record: RecordBytes): Long;
  /** Present for arrays. */
  readonly array?: FieldArray;
}

/** An array in a record. */
export interface FieldArray {
  /** Whether the elements are characters: a text, or bytes. */
  readonly isText: boolean;
  readonly elementSize: number;
  /** Where it lies. */
  range(record: RecordBytes): Range;
  /** The element at an offset from the record's start. */
  element(record: RecordBytes, offset: number): Long;
  /** The texts of an array of dynamic texts. */
  readonly texts?: readonly FieldArray[];
}

const LOCATION = /^__(data|rel)_loc (.*)\[\]$/;
const LOCATION_BYTES = 4;
/** More than any probe has: a file may claim any number. */
const MAX_TEXTS = 4096;
/** So many dynamic texts. */
const LOCATIONS = /^__data_loc (.*)\[\]\[(\d+)\]$/;

const within = ({ size }: RecordBytes, offset: number, length: number): Range => {
  const start = Math.min(offset, size);
  return [start, Math.min(length, size - start)];
};

function rangeOf({ type, offset, size }: EventField): FieldArray['range'] {
  const location = LOCATION.exec(type)?.[1];
  if (location !== undefined) {
    const base = location === 'rel' ? offset + LOCATION_BYTES : 0;
    return (record) => {
      const place = word(record, offset);
      return within(record, base + (place & 0xffff), place >>> 16);
    };
  }
  return size === 0 ? (record) => within(record, offset, record.size) : (record) => within(record, offset, size);
}

/** Bytes of an element: as the field says, else as its type does. */
function elementSizeOf({ type, array, size }: EventField, element: string): number {
  const count = Number(/^\[(\d+)\]$/.exec(array)?.[1] ?? 0);
  if (count > 0 && size % count === 0) return size / count;
  if (type.endsWith('*')) return 8;
  return C_TYPES[element as CType]?.size ?? 1;
}

/** Each text of an array of dynamic ones; undefined for any other field. */
function textsOf({ type, offset, signed }: EventField): readonly FieldArray[] | undefined {
  const [, element, count] = LOCATIONS.exec(type) ?? [];
  if (element === undefined) return undefined;
  const one = (i: number): EventField => ({
    type: `__data_loc ${element}[]`,
    array: '',
    offset: offset + i * LOCATION_BYTES,
    size: LOCATION_BYTES,
    signed,
  });
  return Array.from({ length: Math.min(Number(count), MAX_TEXTS) }, (_, i) => fieldAccess(one(i)).array!);
}

/** How to read a field. */
export function fieldAccess(field: EventField): FieldAccess {
  const texts = textsOf(field);
  if (texts !== undefined) {
    const { size, offset } = field;
    const number = (record: RecordBytes): number => word(record, offset);
    const range: FieldArray['range'] = (record) => within(record, offset, size);
    return { number, array: { isText: false, elementSize: LOCATION_BYTES, range, element: word, texts } };
  }
  const { type, array, offset, size, signed } = field;
  const located = LOCATION.exec(type)?.[2];
  const isArray = located !== undefined || array !== '';
  const element = located ?? type;
  const elementSize = isArray ? elementSizeOf(field, element) : size;
  const read = numberReader(located === undefined ? elementSize : LOCATION_BYTES, signed && located === undefined) ?? byte;
  const access = { number: (record: RecordBytes) => read(record, offset) };
  if (!isArray) return access;
  const readElement = numberReader(elementSize, signed) ?? byte;
  return {
    ...access,
    array: { isText: /^(const )?char$/.test(element), elementSize, range: rangeOf(field), element: readElement },
  };
}

const decoder = new TextDecoder();

/** The text of a range, up to its first zero byte. */
export function textAt({ bytes, at }: RecordBytes, [offset, length]: Range): string {
  const start = at * 4 + offset;
  const end = bytes.indexOf(0, start);
  return decoder.decode(bytes.subarray(start, end < 0 ? start + length : Math.min(end, start + length)));
}

/** The elements of an array. */
export function elementsOf(record: RecordBytes, { range, element, elementSize }: FieldArray): Long[] {
  const [start, length] = range(record);
  return Array.from({ length: Math.floor(length / elementSize) }, (_, i) => element(record, start + i * elementSize));
}

/** Reads the value of a field. */
function valueReader(declared: EventField, { shape, isAddress }: FieldSpec): (record: RecordBytes) => unknown {
  // An address is a number with the sign of its 64 bits, which for those of text is exact.
  const field = isAddress ? { ...declared, signed: true } : declared;
  // What a format file says of the rest of a record is how much of it the kernel's own print format shows.
  const { number, array } = fieldAccess(shape === 'rest' ? { ...field, array: '[]', size: 0 } : field);
  if (array === undefined) return number;
  const { texts } = array;
  if (texts !== undefined) return (record) => texts.map((one) => textAt(record, one.range(record)));
  if (!array.isText) return (record) => elementsOf(record, array);
  if (shape !== 'rest') return (record) => textAt(record, array.range(record));
  return (record) => {
    const [start, length] = array.range(record);
    return record.bytes.subarray(record.at * 4 + start, record.at * 4 + start + length);
  };
}

/** Typed readers of an event's fields. */
export type ReadersOf<E extends EventDefinition> = {
  readonly [N in keyof ValuesOf<E>]: (record: RecordBytes) => ValuesOf<E>[N];
};

/** The readers of the fields of an event's records. */
export function readersOf<E extends EventDefinition>(event: E): ReadersOf<E> {
  const readers = Object.entries<EventField>(event.fields).map(([name, field]) => [name, valueReader(field, event.specs[name]!)]);
  return Object.fromEntries(readers) as ReadersOf<E>;
}
