import {
  BigIntAsIntN as asIntN,
  BigIntAsUintN as asUintN,
  BigInt_ as bigInt,
  MathFloor as floor,
  ArrayIsArray as isArray,
  typesIsProxy as isProxy,
  typesIsTypedArray as isTypedArray,
  TypedArrayPrototypeGetLength,
  MathTrunc as trunc,
  uncurryThis,
} from '../../base/primordials.js';
import type { Long } from '../../events/c-types.js';
import { ownProperty } from '../tracers/own-property.js';
import { renderValue } from '../tracers/render.js';
import { MOST_VALUE_BYTES } from '../tracers/text-limits.js';
import { ValueText } from '../tracers/value-text.js';

/**
 * What code that is generated for an event calls for values that are not what the field's type says. None of these runs the
 * program's code or throws.
 */

// Taken before the program could replace them.
const lengthOf = uncurryThis(TypedArrayPrototypeGetLength) as (view: object) => number;
const stringOf = String;

const SAFE = 2 ** 53;
const TWO_63 = 2 ** 63;
const TWO_64 = 2 ** 64;

/** The integer of 32 bits that a value is: 0 for what is no number. */
export function intOf(value: unknown): number {
  if (typeof value === 'number') return value | 0;
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'bigint' ? Number(asIntN(32, value)) : 0;
}

function wideOf(value: unknown): Long {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value !== 'number' || !(value > -TWO_63 && value < TWO_64)) return 0;
  return trunc(value);
}

/** A bigint as a number where that is exact. */
const short = (value: bigint): Long => (value < SAFE && value > -SAFE ? Number(value) : value);

/** The signed integer of 64 bits that a value is. */
export function s64Of(value: unknown): Long {
  const wide = wideOf(value);
  return typeof wide === 'number' && wide < SAFE && wide > -SAFE ? wide : short(asIntN(64, bigInt(wide)));
}

/** The unsigned integer of 64 bits that a value is. */
export function u64Of(value: unknown): Long {
  const wide = wideOf(value);
  return typeof wide === 'number' && wide >= 0 && wide < SAFE ? wide : short(asUintN(64, bigInt(wide)));
}

/** Bigints from here on are not shown: the time that their digits take grows with the square of their number, up to minutes. */
const HUGE = 2n ** 4096n;

/** Whether a bigint has too many digits to be shown. */
export const isHuge = (value: bigint): boolean => value >= HUGE || value <= -HUGE;

const rendered = new ValueText();
const renderedBytes = new Uint8Array(MOST_VALUE_BYTES);

/** What a text field shows of a value that is no text. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '(null)';
  if (typeof value === 'bigint' && isHuge(value)) return '[bigint]';
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return stringOf(value);
  try {
    rendered.start(renderedBytes, 0);
    renderValue(rendered, value);
    let text = '';
    for (let i = 0; i < rendered.end; i++) text += stringOf.fromCharCode(renderedBytes[i]!);
    return decodeUtf8(text);
  } catch {
    return '?';
  }
}

/** UTF-8, one unit for each byte, as text. */
const decodeUtf8 = (bytes: string): string => Buffer.from(bytes, 'latin1').toString('utf8');

const NONE: readonly Long[] = [];

/** At most `most` elements of an array of integers, of 64 bits or less; none for what is no array. */
export function elementsOf(value: unknown, most: number, signed: boolean): readonly Long[] {
  // A Proxy would run its traps, and a revoked one throws.
  if (isProxy(value)) return NONE;
  const isView = isTypedArray(value);
  if (!isView && !isArray(value)) return NONE;
  try {
    const length = isView ? lengthOf(value) : (value as ArrayLike<unknown>).length;
    const count = length < most ? length : most;
    const elements: Long[] = [];
    for (let i = 0; i < count; i++) {
      // An accessor, or what only a prototype has, counts as 0.
      const element = isView ? value[i] : ownProperty(value as object, i);
      elements[i] = signed ? s64Of(element) : u64Of(element);
    }
    return elements;
  } catch {
    return NONE;
  }
}

/** Stores the low `size` bytes of an integer. */
export function putNumber(bytes: Uint8Array, at: number, value: Long, size: number): void {
  if (typeof value === 'bigint') {
    let rest = asUintN(64, value);
    for (let i = 0; i < size; i++) {
      bytes[at + i] = Number(rest & 0xffn);
      rest >>= 8n;
    }
    return;
  }
  let rest = value;
  for (let i = 0; i < size; i++) {
    // A Uint8Array keeps the low byte.
    bytes[at + i] = rest;
    rest = floor(rest / 256);
  }
}

/** Stores integers of `size` bytes one behind the other. @returns the byte after them */
export function putElements(bytes: Uint8Array, at: number, elements: readonly Long[], size: number): number {
  for (let i = 0; i < elements.length; i++) putNumber(bytes, at + i * size, elements[i]!, size);
  return at + elements.length * size;
}

/** Stores an array of `count` elements, zeros where there are fewer. */
export function putFixedElements(bytes: Uint8Array, at: number, elements: readonly Long[], size: number, count: number): void {
  const end = at + size * count;
  for (let i = putElements(bytes, at, elements, size); i < end; i++) bytes[i] = 0;
}
