import type { Long } from '../c-types.js';
import { type FieldArray, type RecordBytes, textAt } from '../read-fields.js';

/** Bytes of a record that an expression names: an array, or what a pointer leads to. */
export interface ArrayValue {
  readonly array: FieldArray;
  readonly record: RecordBytes;
}

/** What the kernel and libtraceevent print of the same record differently. */
export interface PrintDialect {
  /** What `%ps` shows of an address, and with its place in the function what `%pS` does. */
  symbol(address: Long, withOffset: boolean): string;
  /** What `%p` shows of 64 bits. */
  pointer(bits: Long): string;
  /** What __print_array shows. */
  array(elements: readonly Long[]): string;
}

export type Value = Long | string | ArrayValue;

/** An integer's type in C. */
export interface IntegerType {
  readonly bits: number;
  readonly signed: boolean;
}

export const INT: IntegerType = { bits: 32, signed: true };
export const UNSIGNED_LONG: IntegerType = { bits: 64, signed: false };

/** An expression of a print format, and its type if it is an integer. */
export interface Expression {
  readonly type: IntegerType;
  value(record: RecordBytes): Value;
}

/** An integer as its type holds it: a number where that is exact. */
export function wrap(value: Long, { bits, signed }: IntegerType): Long {
  if (typeof value === 'number') {
    if (bits === 32) return signed ? value | 0 : value >>> 0;
    if (bits === 64 && (signed || value >= 0)) return value;
  }
  const wide = BigInt(value);
  const wrapped = signed ? BigInt.asIntN(bits, wide) : BigInt.asUintN(bits, wide);
  const short = Number(wrapped);
  return Number.isSafeInteger(short) ? short : wrapped;
}

/** The integer that a value is, or 0: the address of a text is not known. */
export const integerOf = (value: Value): Long => (typeof value === 'number' || typeof value === 'bigint' ? value : 0);

/** What `%s` shows of a value. */
export function textOf(value: Value): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'object') return textAt(value.record, value.array.range(value.record));
  return value.toString(16);
}
