import { types } from 'node:util';
import { renderElements, renderMembers } from './members.js';

/**
 * Renders a value of the program into a record: short, and without running anything of the program. Properties are looked
 * at as own data properties only, through functions taken before the program could replace them, and never on a Proxy.
 */

const { isProxy, isDate, isMap, isSet, isRegExp, isPromise, isNativeError, isTypedArray, isArrayBuffer, isWeakMap, isWeakSet } =
  types;
const { getOwnPropertyDescriptor, getPrototypeOf } = Object;
const { isArray } = Array;
const { apply } = Reflect;
const isFiniteNumber = Number.isFinite;
const stringOf = String;
const getterOf = (prototype: object, name: string): (() => unknown) => getOwnPropertyDescriptor(prototype, name)!.get!;
const mapSize = getterOf(Map.prototype, 'size');
const setSize = getterOf(Set.prototype, 'size');
const typedLength = getterOf(getPrototypeOf(Uint8Array.prototype) as object, 'length');
const typedName = getterOf(getPrototypeOf(Uint8Array.prototype) as object, Symbol.toStringTag as unknown as string);
const regExpSource = getterOf(RegExp.prototype, 'source');
const symbolDescription = getterOf(Symbol.prototype, 'description');
const dateToISOString = Date.prototype.toISOString;
const dateGetTime = Date.prototype.getTime;
const slice = String.prototype.slice;
const charCodeAt = String.prototype.charCodeAt;

/** Characters of a string that are shown. */
const MAX_STRING = 40;
/** Characters of a name (of a function, class, symbol). */
const MAX_NAME = 40;
const QUESTION_MARK = 0x3f;
/** Bytes that one value takes at most; the record's length field is one byte. */
export const MAX_VALUE_BYTES = 120;
/** How far up the prototype chain a class's name is looked for. */
const MAX_PROTOTYPES = 4;

const cut = (text: string, length: number): string => (text.length > length ? `${apply(slice, text, [0, length])}…` : text);

/** An own data property's value; undefined for an accessor or none. `object` is not a Proxy. */
function ownValue(object: object, key: string): unknown {
  const descriptor = getOwnPropertyDescriptor(object, key);
  return descriptor === undefined ? undefined : descriptor.value;
}

function ownString(object: object, key: string): string {
  const value = ownValue(object, key);
  return typeof value === 'string' ? value : '';
}

/** The name of an object's class by its prototypes' own `constructor` and that one's own `name`; '' when there is none. */
function className(object: object): string {
  let prototype = getPrototypeOf(object) as object | null;
  for (let i = 0; i < MAX_PROTOTYPES && prototype !== null && !isProxy(prototype); i++) {
    const maker = ownValue(prototype, 'constructor');
    if (typeof maker === 'function' && !isProxy(maker)) return cut(ownString(maker, 'name'), MAX_NAME);
    prototype = getPrototypeOf(prototype) as object | null;
  }
  return '';
}

/** Whether a character would break a line, or means something to a terminal. */
const isControl = (code: number): boolean => code < 0x20 || (code >= 0x7f && code < 0xa0) || code === 0x2028 || code === 0x2029;

/** The string quoted on one line: what would break a line or the quotes is escaped. */
function quoted(text: string): string {
  const shown = text.length > MAX_STRING ? (apply(slice, text, [0, MAX_STRING]) as string) : text;
  let out = '"';
  for (let i = 0; i < shown.length; i++) {
    const code = apply(charCodeAt, shown, [i]) as number;
    if (code === 0x22) out += '\\"';
    else if (code === 0x5c) out += '\\\\';
    else if (code === 0x0a) out += '\\n';
    else if (code === 0x0d) out += '\\r';
    else if (code === 0x09) out += '\\t';
    else if (isControl(code)) out += '\\?';
    else out += shown[i];
  }
  return shown === text ? `${out}"` : `${out}…"`;
}

function renderFunction(value: object): string {
  const name = cut(ownString(value, 'name'), MAX_NAME);
  return name === '' ? '[function]' : `[function ${name}]`;
}

function renderDate(value: object): string {
  const time = apply(dateGetTime, value, []) as number;
  return isFiniteNumber(time) ? (apply(dateToISOString, value, []) as string) : 'Invalid Date';
}

function renderObject(value: object, nested: boolean): string {
  if (isProxy(value)) return '[Proxy]';
  if (isArray(value)) return !nested ? renderElements(value, renderNested) : value.length === 0 ? '[]' : `[… ${value.length}]`;
  if (isDate(value)) return renderDate(value);
  if (isRegExp(value)) return `/${cut(apply(regExpSource, value, []) as string, MAX_NAME)}/`;
  if (isMap(value)) return `Map(${stringOf(apply(mapSize, value, []))})`;
  if (isSet(value)) return `Set(${stringOf(apply(setSize, value, []))})`;
  if (isPromise(value)) return 'Promise{}';
  if (isTypedArray(value)) {
    const name = className(value);
    return `${name === 'Buffer' ? name : stringOf(apply(typedName, value, []))}(${stringOf(apply(typedLength, value, []))})`;
  }
  if (isArrayBuffer(value)) return 'ArrayBuffer{}';
  if (isWeakMap(value)) return 'WeakMap{}';
  if (isWeakSet(value)) return 'WeakSet{}';
  const name = className(value);
  if (isNativeError(value)) {
    const message = ownString(value, 'message');
    return message === '' ? name || 'Error' : `${name || 'Error'}: ${quoted(message)}`;
  }
  const members = nested ? '{…}' : renderMembers(value, renderNested);
  return name === '' || name === 'Object' ? members : `${name}${members}`;
}

/** The text of a value. */
export function renderValue(value: unknown): string {
  return render(value, false);
}

function renderNested(value: unknown): string {
  return render(value, true);
}

function render(value: unknown, nested: boolean): string {
  switch (typeof value) {
    case 'string':
      return quoted(value);
    case 'number':
      return value === 0 && 1 / value < 0 ? '-0' : stringOf(value);
    case 'bigint':
      return renderBigInt(value);
    case 'symbol':
      return `Symbol(${cut(stringOf(apply(symbolDescription, value, []) ?? ''), MAX_NAME)})`;
    case 'function':
      return isProxy(value) ? '[Proxy]' : renderFunction(value);
    case 'object':
      return value === null ? 'null' : renderObject(value, nested);
    default:
      return stringOf(value);
  }
}

const LARGE = 10n ** 30n;

/** Large ones are not printed: their decimal form takes quadratic time. */
function renderBigInt(value: bigint): string {
  return value > -LARGE && value < LARGE ? `${stringOf(value)}n` : '[bigint]';
}

/**
 * Writes `text` as UTF-8 into `bytes` at `start`, at most MAX_VALUE_BYTES, ending where a character ends. Control characters,
 * which the names of keys, functions and classes may have, become question marks: a record is shown on one line.
 * @returns how many bytes were written
 */
export function writeText(bytes: Uint8Array, start: number, text: string): number {
  const limit = start + MAX_VALUE_BYTES;
  let at = start;
  for (let i = 0; i < text.length; i++) {
    let code = apply(charCodeAt, text, [i]) as number;
    if (isControl(code)) code = QUESTION_MARK;
    if (code < 0x80) {
      if (at >= limit) break;
      bytes[at++] = code;
      continue;
    }
    if (code >= 0xd800 && code < 0xe000) {
      const low = i + 1 < text.length ? (apply(charCodeAt, text, [i + 1]) as number) : 0;
      if (code < 0xdc00 && low >= 0xdc00 && low < 0xe000) {
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
        i++;
      } else code = 0xfffd;
    }
    const size = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (at + size > limit) break;
    if (size === 2) bytes[at++] = 0xc0 | (code >> 6);
    else {
      if (size === 3) bytes[at++] = 0xe0 | (code >> 12);
      else {
        bytes[at++] = 0xf0 | (code >> 18);
        bytes[at++] = 0x80 | ((code >> 12) & 0x3f);
      }
      bytes[at++] = 0x80 | ((code >> 6) & 0x3f);
    }
    bytes[at++] = 0x80 | (code & 0x3f);
  }
  return at - start;
}
