import { C_TYPES, type CType, type CValue } from './c-types.js';

/**
 * How many values a field has: `one`; an `array` of so many; the `rest` of the record; a `dynamic` array, which stands behind
 * the fixed fields and whose field says where and how long (`__data_loc`); `dynamics`, so many dynamic texts, as only probes have
 * them.
 */
export type FieldShape = 'one' | 'array' | 'rest' | 'dynamic' | 'dynamics';

/** A field as an event's definition declares it. */
export interface FieldSpec<T extends CType = CType, S extends FieldShape = FieldShape> {
  readonly type: T;
  readonly shape: S;
  /** Elements of an array; of a `rest` those that the format file shows, 0 for none. */
  readonly count: number;
  /** Addresses of text: printed as symbols, and moved when recordings are put together. */
  readonly isAddress: boolean;
}

export type FieldSpecs = Readonly<Record<string, FieldSpec>>;

/** The value of a field, for writers and readers. Characters are text that ends at a zero byte; the rest of a record is bytes. */
export type FieldValue<F extends FieldSpec> = F['shape'] extends 'one'
  ? CValue<F['type']>
  : F['type'] extends 'char'
    ? F['shape'] extends 'rest'
      ? Uint8Array
      : F['shape'] extends 'dynamics'
        ? readonly string[]
        : string
    : readonly CValue<F['type']>[];

const spec = <T extends CType, S extends FieldShape>(type: T, shape: S, count = 0, isAddress = false): FieldSpec<T, S> => ({
  type,
  shape,
  count,
  isAddress,
});

/** One value. */
export const one = <T extends CType>(type: T): FieldSpec<T, 'one'> => spec(type, 'one');
/** An array of so many. */
export const array = <T extends CType>(type: T, count: number): FieldSpec<T, 'array'> => spec(type, 'array', count);
/** An array that runs to the record's end: the last field. The format file shows `count` elements. */
export const rest = <T extends CType>(type: T, count = 0): FieldSpec<T, 'rest'> => spec(type, 'rest', count);
/** An array whose length each record says (__dynamic_array); of `char` a text (__string). */
export const dynamic = <T extends CType>(type: T): FieldSpec<T, 'dynamic'> => spec(type, 'dynamic');
/** An address of text. */
export const address: FieldSpec<'unsigned long', 'one'> = spec('unsigned long', 'one', 1, true);
/** Addresses of text up to the record's end. */
export const addresses = (count: number): FieldSpec<'unsigned long', 'rest'> => spec('unsigned long', 'rest', count, true);

/** One field of a record, as a `format` file states it. Offset and size in bytes from the start of the record. */
export interface EventField {
  /** The C type without the name: `unsigned long`, `__data_loc char[]`. */
  readonly type: string;
  /** What follows the name: `[8]`, `[]`. */
  readonly array: string;
  readonly offset: number;
  /** 0 for an array that runs to the end of the record. */
  readonly size: number;
  readonly signed: boolean;
}

/** Bytes of a `__data_loc`: offset in the low half, length in the high one. */
const DATA_LOC_BYTES = 4;

type Shown = Pick<EventField, 'type' | 'array' | 'size' | 'signed'>;

const SHOWN: Readonly<Record<FieldShape, (spec: FieldSpec) => Shown>> = {
  one: ({ type }) => ({ type, array: '', ...C_TYPES[type] }),
  array: ({ type, count }) => ({ type, array: `[${count}]`, size: C_TYPES[type].size * count, signed: C_TYPES[type].signed }),
  rest: (spec) => ({ ...SHOWN.array(spec), array: spec.count === 0 ? '[]' : `[${spec.count}]` }),
  dynamic: ({ type }) => ({ type: `__data_loc ${type}[]`, array: '', size: DATA_LOC_BYTES, signed: C_TYPES[type].signed }),
  dynamics: ({ type, count }) => ({
    type: `__data_loc ${type}[][${count}]`,
    array: '',
    size: DATA_LOC_BYTES * count,
    signed: C_TYPES[type].signed,
  }),
};

/** The layout of fields that begin at byte `start`. */
export interface Layout {
  readonly fields: Readonly<Record<string, EventField>>;
  /** The byte after the last field. */
  readonly end: number;
  /** Bytes of the record without what is dynamic. */
  readonly size: number;
}

/**
 * Lays fields out as the compiler does with a struct: each at a multiple of its own size, and the whole a multiple of the
 * largest, unless it is `packed`.
 */
export function layOut(specs: FieldSpecs, start: number, packed: boolean): Layout {
  const fields: Record<string, EventField> = {};
  let end = start;
  let widest = 4;
  for (const [name, spec] of Object.entries(specs)) {
    const alignment = packed ? 1 : spec.shape.startsWith('dynamic') ? DATA_LOC_BYTES : C_TYPES[spec.type].size;
    const offset = alignUp(end, alignment);
    const shown = SHOWN[spec.shape](spec);
    fields[name] = { ...shown, offset };
    end = offset + (spec.shape === 'rest' ? 0 : shown.size);
    widest = Math.max(widest, alignment);
  }
  return { fields, end, size: packed ? end : alignUp(end, widest) };
}

const alignUp = (value: number, alignment: number): number => Math.ceil(value / alignment) * alignment;
