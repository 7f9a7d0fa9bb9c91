import {
  BigIntAsIntN as asIntN,
  BigIntAsUintN as asUintN,
  BufferPrototypeUtf8Slice,
  Uint8Array_ as Bytes,
  BigInt_ as bigInt,
  DataViewPrototypeGetBuffer,
  DataViewPrototypeGetByteLength,
  DataViewPrototypeGetByteOffset,
  ObjectGetOwnPropertyDescriptor as getOwnPropertyDescriptor,
  typesIsAnyArrayBuffer as isAnyArrayBuffer,
  ArrayIsArray as isArray,
  typesIsDataView as isDataView,
  NumberIsInteger as isInteger,
  typesIsProxy as isProxy,
  NumberIsSafeInteger as isSafeInteger,
  typesIsTypedArray as isTypedArray,
  TypedArrayPrototypeGetBuffer,
  TypedArrayPrototypeGetByteLength,
  TypedArrayPrototypeGetByteOffset,
  MathTrunc as trunc,
} from '../../base/primordials.js';
import type { Long } from '../../events/c-types.js';
import { MAX_TEXT_SIZE } from '../../port/limits.js';
import { charCodeAt, getPrototypeOf, reflectApply, slice } from '../realm/primordials.js';
import { ABSENT, ACCESSOR, ownProperty } from '../tracers/own-property.js';
import { renderValue } from '../tracers/render.js';
import { MOST_VALUE_BYTES, textLimits } from '../tracers/text-limits.js';
import { ValueText } from '../tracers/value-text.js';
import { isNodesGetter } from './nodes-getters.js';

/**
 * How the code that is generated for a probe reads the program's values: without running code of the program, and without
 * throwing. What cannot be read so is a FAULT.
 */

// Taken before the program could replace them.
const stringOfValue = String;

/** A value that is not there, or that a getter or a Proxy guards. Shown as `(fault)`; 0 in a field of a number. */
export const FAULT = Symbol('fault');
const FAULT_TEXT = '(fault)';

/** So many bytes behind the start of a buffer. */
class Place {
  readonly bytes: Uint8Array;
  readonly offset: number;
  readonly #isPlace = true;

  constructor(bytes: Uint8Array, offset: number) {
    this.bytes = bytes;
    this.offset = offset;
  }

  /** Whether a value is a place. Unlike `instanceof`, this asks no Proxy for its prototype. */
  static is(value: unknown): value is Place {
    return typeof value === 'object' && value !== null && #isPlace in value;
  }
}

const TYPED = {
  buffer: TypedArrayPrototypeGetBuffer,
  byteOffset: TypedArrayPrototypeGetByteOffset,
  byteLength: TypedArrayPrototypeGetByteLength,
};
const VIEW = {
  buffer: DataViewPrototypeGetBuffer,
  byteOffset: DataViewPrototypeGetByteOffset,
  byteLength: DataViewPrototypeGetByteLength,
};

/** The memory of a buffer; undefined for what is none, or has been detached. */
function bytesOf(value: unknown): Uint8Array | undefined {
  try {
    if (isAnyArrayBuffer(value)) return new Bytes(value as ArrayBuffer);
    const getters = isTypedArray(value) ? TYPED : isDataView(value) ? VIEW : undefined;
    if (getters === undefined) return undefined;
    const buffer = reflectApply(getters.buffer, value, []) as ArrayBuffer;
    const offset = reflectApply(getters.byteOffset, value, []) as number;
    return new Bytes(buffer, offset, reflectApply(getters.byteLength, value, []) as number);
  } catch {
    return undefined;
  }
}

/** The value of a name at a breakpoint, of which `value` is what reads it; a fault where it has none. */
export function named(value: (() => unknown) | undefined): unknown {
  if (value === undefined) return FAULT;
  try {
    return value();
  } catch {
    return FAULT;
  }
}

/** How far up the prototype chain a property is looked for. */
const MAX_PROTOTYPES = 32;

/** `value.name`. Of the accessors only Node's own are called, such as `headers` of a request. */
export function memberOf(value: unknown, name: string): unknown {
  if (typeof value === 'string') return memberOfText(value, name);
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return FAULT;
  try {
    let holder: object | null = value;
    for (let i = 0; i < MAX_PROTOTYPES && holder !== null; i++) {
      if (isProxy(holder)) return FAULT;
      const found = ownProperty(holder, name);
      if (found === ACCESSOR) return accessed(value, holder, name);
      if (found !== ABSENT) return found;
      holder = getPrototypeOf(holder) as object | null;
    }
  } catch {
    // The stack is full.
    return FAULT;
  }
  return undefined;
}

function memberOfText(text: string, name: string): unknown {
  if (name === 'length') return text.length;
  const index = +name;
  return isInteger(index) && index >= 0 && index < text.length ? slice(text, index, index + 1) : undefined;
}

function accessed(value: object, holder: object, name: string): unknown {
  const { get } = getOwnPropertyDescriptor(holder, name)!;
  return get !== undefined && isNodesGetter(get) ? reflectApply(get, value, []) : FAULT;
}

/** What lies `offset` behind the start of a value: bytes of a buffer, an element of an array, the rest of a text. */
export function behindStart(value: unknown, offset: number): unknown {
  if (typeof value === 'string') return offset >= 0 && offset <= value.length ? slice(value, offset) : FAULT;
  if (isProxy(value)) return FAULT;
  if (isArray(value)) {
    const element = ownProperty(value, stringOfValue(offset));
    return element === ABSENT || element === ACCESSOR ? FAULT : element;
  }
  const bytes = bytesOf(value);
  return bytes === undefined || offset < 0 || offset >= bytes.length ? FAULT : new Place(bytes, offset);
}

/** An element of an array, or of what is like one; a text is one value. */
export const elementOf = (value: unknown, index: number): unknown =>
  typeof value === 'string' ? FAULT : behindStart(value, index);

/** The low `size` bytes of a number, or those of a buffer, as an integer; 0 for a fault. */
export function integerOf(value: unknown, size: number, signed: boolean): Long {
  if (typeof value === 'number') return size < 8 && isInteger(value) ? value : fitted(trunc(value), size, signed);
  if (typeof value === 'bigint') return short(signed ? asIntN(size * 8, value) : asUintN(size * 8, value));
  if (typeof value === 'boolean') return value ? 1 : 0;
  return Place.is(value) ? readInteger(value.bytes, value.offset, size, signed) : 0;
}

/** NaN and what is too large for 64 bits is 0. */
const fitted = (value: number, size: number, signed: boolean): Long => {
  if (!(value > -(2 ** 63) && value < 2 ** 64)) return 0;
  if (isSafeInteger(value) && (signed || value >= 0)) return value;
  const wide = bigInt(value);
  return short(signed ? asIntN(size * 8, wide) : asUintN(size * 8, wide));
};

/** A bigint as a number where that is exact. */
const short = (value: bigint): Long => (isSafeInteger(Number(value)) ? Number(value) : value);

/** An integer as the machine has it: the lowest byte is the first. */
function readInteger(bytes: Uint8Array, at: number, size: number, signed: boolean): Long {
  if (at + size > bytes.length) return 0;
  let value = 0n;
  for (let i = size - 1; i >= 0; i--) value = (value << 8n) | bigInt(bytes[at + i]!);
  return short(signed ? asIntN(size * 8, value) : value);
}

/** `width` bits of an integer of `size` bytes, from bit `offset` on. */
export function bitsOf(value: unknown, width: number, offset: number, size: number): Long {
  return short(asUintN(width, bigInt(integerOf(value, size, false)) >> bigInt(offset)));
}

const NONE: readonly Long[] = [];

/** `count` integers of `size` bytes, of an array or of a buffer. */
export function integersOf(value: unknown, count: number, size: number, signed: boolean): readonly Long[] {
  if (isProxy(value)) return NONE;
  const start = Place.is(value) ? value.offset : 0;
  const bytes = Place.is(value) ? value.bytes : bytesOf(value);
  const elements: Long[] = [];
  for (let i = 0; i < count; i++) {
    if (bytes !== undefined) elements[i] = readInteger(bytes, start + i * size, size, signed);
    else if (isArray(value)) elements[i] = integerOf(ownProperty(value, stringOfValue(i)), size, signed);
    else return NONE;
  }
  return elements;
}

/** A function, whose address is wanted, or the address itself. */
export const symbolOf = (value: unknown): unknown => (typeof value === 'function' || typeof value === 'number' ? value : 0);

/** The code of a text's first character, or a number. */
export const charOf = (value: unknown): Long => (typeof value === 'string' ? charCodeAt(value, 0) : integerOf(value, 1, true));

/** A text; of a buffer its bytes up to the first zero, as UTF-8; a number as its decimal form. */
export function stringOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return stringOfValue(value);
  const bytes = Place.is(value) ? value.bytes : bytesOf(value);
  if (bytes === undefined) return FAULT_TEXT;
  const start = Place.is(value) ? value.offset : 0;
  let end = start;
  const last = start + MAX_TEXT_SIZE < bytes.length ? start + MAX_TEXT_SIZE : bytes.length;
  while (end < last && bytes[end] !== 0) end++;
  try {
    const copy = new Bytes(end - start);
    for (let i = start; i < end; i++) copy[i - start] = bytes[i]!;
    return reflectApply(BufferPrototypeUtf8Slice, copy, [0, end - start]);
  } catch {
    return FAULT_TEXT;
  }
}

/**
 * Any value as text for a script: as `stringOf` where that has one, else as it is shown. All names of this file stand beside
 * those of slot-values.ts in the scope of what records events, so no two may be equal.
 */
export function scriptTextOf(value: unknown): string {
  const text = stringOf(value);
  return text === FAULT_TEXT && value !== FAULT_TEXT ? shownOf(value) : text;
}

const rendered = new ValueText();
const renderedBytes = new Bytes(MOST_VALUE_BYTES + 8);

/** Whether a text stands in quotes as it is. */
function isPlain(text: string): boolean {
  if (text.length > textLimits.string) return false;
  for (let i = 0; i < text.length; i++) {
    const code = charCodeAt(text, i);
    if (code < 0x20 || code >= 0x7f || code === 0x22 || code === 0x5c) return false;
  }
  return true;
}

/** Any value as text, as the options func-args and funcgraph-args show it. */
export function shownOf(value: unknown): string {
  if (value === FAULT) return FAULT_TEXT;
  // Bytes that become a text again cost 150 ns (npm run bench probes).
  if (typeof value === 'string' && isPlain(value)) return `"${value}"`;
  if (value === undefined) return 'undefined';
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  if (typeof value === 'number' && value === (value | 0) && value !== 0) return stringOfValue(value);
  if (Place.is(value)) return stringOfValue(value.bytes[value.offset]);
  try {
    rendered.start(renderedBytes, 0);
    renderValue(rendered, value);
    return reflectApply(BufferPrototypeUtf8Slice, renderedBytes, [0, rendered.end]);
  } catch {
    return FAULT_TEXT;
  }
}
