import {
  BigIntAsIntN as asIntN,
  BigIntAsUintN as asUintN,
  StringPrototypeEndsWith as endsWith,
  StringPrototypeIncludes as includes,
  StringPrototypeStartsWith as startsWith,
  BigInt_ as toBigInt,
} from '../../base/primordials.js';
import type { Long } from '../c-types.js';
import { INTEGER_TYPES, type IntegerTypeName } from './operand.js';

// What the code of a filter calls. It runs in the threads of a program: nothing here uses a built-in that the program may have
// replaced, nothing throws, and only `packed` allocates.

/** Whether an integer of 64 bits has one of some bits set: `low` and `high` are those of a number, `bits` those of a bigint. */
export const hasBits = (value: unknown, low: number, high: number, bits: bigint): boolean => {
  if (typeof value === 'bigint') return (value & bits) !== 0n;
  const number = value as number;
  return ((number & low) | (((number - (number >>> 0)) / 4294967296) & high)) !== 0;
};

/** The integer that the bytes of an array of integers are. */
export function packed(values: unknown, elements: number, type: IntegerTypeName): Long {
  const { bits, signed } = INTEGER_TYPES[type];
  const array = values as ArrayLike<Long | undefined>;
  let sum = 0n;
  for (let i = 0; i * elements < bits; i++) sum |= asUintN(elements, toBigInt(array[i] ?? 0)) << toBigInt(i * elements);
  return signed ? asIntN(bits, sum) : sum;
}

export const hasFront = (value: unknown, text: string): boolean => typeof value === 'string' && startsWith(value, text);
export const hasEnd = (value: unknown, text: string): boolean => typeof value === 'string' && endsWith(value, text);
export const hasPart = (value: unknown, text: string): boolean => typeof value === 'string' && includes(value, text);
export const hasShape = (value: unknown, test: (text: string) => boolean): boolean => typeof value === 'string' && test(value);
