import { types } from 'node:util';
import { renderElements, renderMembers } from './members.js';
import type { ValueText } from './value-text.js';

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
const weakGet = WeakMap.prototype.get;
const weakSet = WeakMap.prototype.set;
const dateToISOString = Date.prototype.toISOString;
const dateGetTime = Date.prototype.getTime;

/** Characters of a string that are shown. */
const MAX_STRING = 40;
/** Characters of a name (of a function, class, symbol). */
const MAX_NAME = 40;
/** How far up the prototype chain a class's name is looked for. */
const MAX_PROTOTYPES = 4;

/** An own data property's value; undefined for an accessor or none. `object` is not a Proxy. */
function ownValue(object: object, key: string): unknown {
  const descriptor = getOwnPropertyDescriptor(object, key);
  return descriptor === undefined ? undefined : descriptor.value;
}

function ownString(object: object, key: string): string {
  const value = ownValue(object, key);
  return typeof value === 'string' ? value : '';
}

/** Reading a function's own name takes longer than all else about an object, so a class is asked only once. */
const names = new WeakMap<object, string>();

function nameOf(maker: object): string {
  const known = apply(weakGet, names, [maker]) as string | undefined;
  if (known !== undefined) return known;
  const name = ownString(maker, 'name');
  apply(weakSet, names, [maker, name]);
  return name;
}

/** The name of an object's class by its prototypes' own `constructor` and that one's own `name`; '' when there is none. */
function className(object: object): string {
  let prototype = getPrototypeOf(object) as object | null;
  for (let i = 0; i < MAX_PROTOTYPES && prototype !== null && !isProxy(prototype); i++) {
    const maker = ownValue(prototype, 'constructor');
    if (typeof maker === 'function' && !isProxy(maker)) return nameOf(maker);
    prototype = getPrototypeOf(prototype) as object | null;
  }
  return '';
}

/** The prototypes of objects that are shown otherwise than by their members. */
const builtIn = new Set<unknown>(
  [
    Date,
    RegExp,
    Map,
    Set,
    Promise,
    ArrayBuffer,
    WeakMap,
    WeakSet,
    Error,
    Array,
    getPrototypeOf(Uint8Array) as typeof Uint8Array,
  ].map(({ prototype }) => prototype),
);
const isBuiltIn = Set.prototype.has;

/**
 * Names of classes by the prototype of their instances, once one of these was shown by its members. The others with that
 * prototype are not asked whether they are a Date, a Map and so on, which takes longer than showing them. Nothing of the
 * program is kept alive by it.
 */
const plainClasses = new WeakMap<object, string>();

/** How far up the chain a built-in prototype is looked for; beyond that nothing is remembered. */
const LONGEST_CHAIN = 16;

/** Whether only an object made by hand with Object.create() could have this prototype and be a Date, a Map and so on. */
function isPlain(prototype: object): boolean {
  let next: object | null = prototype;
  for (let i = 0; i < LONGEST_CHAIN; i++) {
    if (next === null) return true;
    if (isProxy(next) || (apply(isBuiltIn, builtIn, [next]) as boolean)) return false;
    next = getPrototypeOf(next) as object | null;
  }
  return false;
}

function renderFunction(out: ValueText, value: object): ValueText {
  const name = ownString(value, 'name');
  if (name === '') return out.add('[function]');
  return out.add('[function ').add(name, MAX_NAME).add(']');
}

function renderDate(out: ValueText, value: object): ValueText {
  const time = apply(dateGetTime, value, []) as number;
  return out.add(isFiniteNumber(time) ? (apply(dateToISOString, value, []) as string) : 'Invalid Date');
}

function renderSized(out: ValueText, name: string, size: unknown): ValueText {
  return out.add(name, MAX_NAME).add('(').add(stringOf(size)).add(')');
}

function renderError(out: ValueText, value: object): ValueText {
  const message = ownString(value, 'message');
  out.add(className(value) || 'Error', MAX_NAME);
  return message === '' ? out : out.add(': ').addQuoted(message, MAX_STRING);
}

function renderArray(out: ValueText, value: readonly unknown[], nested: boolean): ValueText {
  if (!nested) return renderElements(out, value, renderNested);
  if (value.length === 0) return out.add('[]');
  return out.add('[… ').add(stringOf(value.length)).add(']');
}

function renderObject(out: ValueText, value: object, nested: boolean): ValueText {
  if (isProxy(value)) return out.add('[Proxy]');
  if (isArray(value)) return renderArray(out, value, nested);
  const prototype = getPrototypeOf(value) as object | null;
  const known = prototype === null ? undefined : (apply(weakGet, plainClasses, [prototype]) as string | undefined);
  if (known !== undefined) return renderPlain(out, value, known, nested);
  if (isDate(value)) return renderDate(out, value);
  if (isRegExp(value))
    return out
      .add('/')
      .add(apply(regExpSource, value, []) as string, MAX_NAME)
      .add('/');
  if (isMap(value)) return renderSized(out, 'Map', apply(mapSize, value, []));
  if (isSet(value)) return renderSized(out, 'Set', apply(setSize, value, []));
  if (isPromise(value)) return out.add('Promise{}');
  if (isTypedArray(value)) {
    const name = className(value) === 'Buffer' ? 'Buffer' : stringOf(apply(typedName, value, []));
    return renderSized(out, name, apply(typedLength, value, []));
  }
  if (isArrayBuffer(value)) return out.add('ArrayBuffer{}');
  if (isWeakMap(value)) return out.add('WeakMap{}');
  if (isWeakSet(value)) return out.add('WeakSet{}');
  if (isNativeError(value)) return renderError(out, value);
  const name = className(value);
  if (prototype !== null && isPlain(prototype)) apply(weakSet, plainClasses, [prototype, name]);
  return renderPlain(out, value, name, nested);
}

function renderPlain(out: ValueText, value: object, name: string, nested: boolean): ValueText {
  if (name !== 'Object') out.add(name, MAX_NAME);
  return nested ? out.add('{…}') : renderMembers(out, value, renderNested);
}

/** Appends the text of a value. */
export function renderValue(out: ValueText, value: unknown): ValueText {
  return render(out, value, false);
}

function renderNested(out: ValueText, value: unknown): ValueText {
  return render(out, value, true);
}

function render(out: ValueText, value: unknown, nested: boolean): ValueText {
  switch (typeof value) {
    case 'string':
      return out.addQuoted(value, MAX_STRING);
    case 'number':
      return out.add(value === 0 && 1 / value < 0 ? '-0' : stringOf(value));
    case 'bigint':
      return out.add(value > -LARGE && value < LARGE ? `${stringOf(value)}n` : '[bigint]');
    case 'symbol':
      return out
        .add('Symbol(')
        .add(stringOf(apply(symbolDescription, value, []) ?? ''), MAX_NAME)
        .add(')');
    case 'function':
      return isProxy(value) ? out.add('[Proxy]') : renderFunction(out, value);
    case 'object':
      return value === null ? out.add('null') : renderObject(out, value, nested);
    default:
      return out.add(stringOf(value));
  }
}

/** Beyond this they are not printed: their decimal form takes quadratic time. */
const LARGE = 10n ** 30n;
