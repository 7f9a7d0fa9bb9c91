import {
  ReflectApply as apply,
  DatePrototypeGetTime as dateGetTime,
  DatePrototypeToISOString as dateToISOString,
  ObjectGetPrototypeOf as getPrototypeOf,
  ArrayIsArray as isArray,
  typesIsArrayBuffer as isArrayBuffer,
  SetPrototypeHas as isBuiltIn,
  typesIsDate as isDate,
  NumberIsFinite as isFiniteNumber,
  typesIsMap as isMap,
  typesIsNativeError as isNativeError,
  typesIsPromise as isPromise,
  typesIsProxy as isProxy,
  typesIsRegExp as isRegExp,
  typesIsSet as isSet,
  typesIsTypedArray as isTypedArray,
  typesIsWeakMap as isWeakMap,
  typesIsWeakSet as isWeakSet,
  MapPrototypeGetSize as mapSize,
  RegExpPrototypeGetSource as regExpSource,
  SetPrototypeGetSize as setSize,
  SymbolPrototypeGetDescription as symbolDescription,
  TypedArrayPrototypeGetLength as typedLength,
  TypedArrayPrototypeGetName as typedName,
  WeakMapPrototypeGet as weakGet,
  WeakMapPrototypeSet as weakSet,
} from '../../base/primordials.js';
import { SafeSet, SafeWeakMap } from '../../base/safe-map.js';
import { ClassText, MAX_NAME } from './class-text.js';
import { renderElements, renderMembers } from './members.js';
import { ownProperty, ownString } from './own-property.js';
import { textLimits } from './text-limits.js';
import { prepare, type ValueText } from './value-text.js';

/**
 * Renders a value of the program into a record: short, and without running code of the program. Reads only own data properties,
 * through functions saved before the program could replace them, and never on a Proxy.
 */

const stringOf = String;

const TRUE = prepare('true');
const FALSE = prepare('false');
const NULL = prepare('null');
const UNDEFINED = prepare('undefined');
const PROXY = prepare('[Proxy]');
const FUNCTION = prepare('[function]');
const FUNCTION_NAMED = prepare('[function ');
const CLOSE = prepare(']');
const NO_ELEMENTS = prepare('[]');
const FOLDED_ELEMENTS = prepare('[… ');
const OPEN_SIZE = prepare('(');
const CLOSE_SIZE = prepare(')');

/** How far up the prototype chain a class's name is looked for. */
const MAX_PROTOTYPES = 4;

/** Reading a function's own name takes longer than all else about an object, so a class is asked only once. */
const names = new SafeWeakMap<object, string>();

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
    const maker = ownProperty(prototype, 'constructor');
    if (typeof maker === 'function' && !isProxy(maker)) return nameOf(maker);
    prototype = getPrototypeOf(prototype) as object | null;
  }
  return '';
}

/** The prototypes of objects that are not shown by their members. */
const builtIn = new SafeSet<unknown>(
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

/**
 * What is kept of classes by the prototype of their instances, once one of these was shown by its members. The others with that
 * prototype are not asked whether they are a Date, a Map and so on, which takes longer than showing them. Nothing of the
 * program is kept alive by it.
 */
const plainClasses = new SafeWeakMap<object, ClassText>();

/** The class of objects without a prototype. */
const NO_CLASS = new ClassText('');

/** How far up the chain to look for a built-in prototype; beyond that nothing is cached. */
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
  if (name === '') return out.addPrepared(FUNCTION);
  return out.addPrepared(FUNCTION_NAMED).add(name, MAX_NAME).addPrepared(CLOSE);
}

function renderDate(out: ValueText, value: object): ValueText {
  const time = apply(dateGetTime, value, []) as number;
  return out.add(isFiniteNumber(time) ? (apply(dateToISOString, value, []) as string) : 'Invalid Date');
}

function renderSized(out: ValueText, name: string, size: number): ValueText {
  return out.add(name, MAX_NAME).addPrepared(OPEN_SIZE).addInteger(size).addPrepared(CLOSE_SIZE);
}

function renderError(out: ValueText, value: object): ValueText {
  const message = ownString(value, 'message');
  out.add(className(value) || 'Error', MAX_NAME);
  return message === '' ? out : out.add(': ').addQuoted(message, textLimits.string);
}

function renderArray(out: ValueText, value: readonly unknown[], nested: boolean): ValueText {
  if (!nested) return renderElements(out, value, renderNested);
  const { length } = value;
  if (length === 0) return out.addPrepared(NO_ELEMENTS);
  return out.addPrepared(FOLDED_ELEMENTS).addInteger(length).addPrepared(CLOSE);
}

function renderObject(out: ValueText, value: object, nested: boolean): ValueText {
  if (isProxy(value)) return out.addPrepared(PROXY);
  if (isArray(value)) return renderArray(out, value, nested);
  const prototype = getPrototypeOf(value) as object | null;
  const known = prototype === null ? undefined : (apply(weakGet, plainClasses, [prototype]) as ClassText | undefined);
  if (known !== undefined) return renderPlain(out, value, known, nested);
  if (isDate(value)) return renderDate(out, value);
  if (isRegExp(value))
    return out
      .add('/')
      .add(apply(regExpSource, value, []) as string, MAX_NAME)
      .add('/');
  if (isMap(value)) return renderSized(out, 'Map', apply(mapSize, value, []) as number);
  if (isSet(value)) return renderSized(out, 'Set', apply(setSize, value, []) as number);
  if (isPromise(value)) return out.add('Promise{}');
  if (isTypedArray(value)) {
    const name = className(value) === 'Buffer' ? 'Buffer' : stringOf(apply(typedName, value, []));
    return renderSized(out, name, apply(typedLength, value, []) as number);
  }
  if (isArrayBuffer(value)) return out.add('ArrayBuffer{}');
  if (isWeakMap(value)) return out.add('WeakMap{}');
  if (isWeakSet(value)) return out.add('WeakSet{}');
  if (isNativeError(value)) return renderError(out, value);
  if (prototype === null) return renderPlain(out, value, NO_CLASS, nested);
  const text = new ClassText(className(value));
  if (isPlain(prototype)) apply(weakSet, plainClasses, [prototype, text]);
  else text.hasLarge = true;
  return renderPlain(out, value, text, nested);
}

function renderPlain(out: ValueText, value: object, text: ClassText, nested: boolean): ValueText {
  return nested ? out.addPrepared(text.folded) : renderMembers(out, value, text, renderNested);
}

/** Appends the text of a value. */
export function renderValue(out: ValueText, value: unknown): ValueText {
  return render(out, value, false);
}

function renderNested(out: ValueText, value: unknown): ValueText {
  return render(out, value, true);
}

/** Comparisons and no switch: V8 compiles one to a look at the value's tag, and asks for the word that a switch is over. */
function render(out: ValueText, value: unknown, nested: boolean): ValueText {
  if (typeof value === 'number') {
    if ((value | 0) === value && (value !== 0 || 1 / value > 0)) return out.addInteger(value);
    return out.add(value === 0 ? '-0' : stringOf(value));
  }
  if (typeof value === 'object') return value === null ? out.addPrepared(NULL) : renderObject(out, value, nested);
  if (typeof value === 'boolean') return out.addPrepared(value ? TRUE : FALSE);
  if (typeof value === 'string') return out.addQuoted(value, textLimits.string);
  if (typeof value === 'function') return isProxy(value) ? out.addPrepared(PROXY) : renderFunction(out, value);
  if (typeof value === 'bigint') return out.add(value > -LARGE && value < LARGE ? `${stringOf(value)}n` : '[bigint]');
  if (typeof value === 'symbol') {
    return out
      .add('Symbol(')
      .add(stringOf(apply(symbolDescription, value, []) ?? ''), MAX_NAME)
      .add(')');
  }
  return out.addPrepared(UNDEFINED);
}

/** Beyond this they are not printed: their decimal form takes quadratic time. */
const LARGE = 10n ** 30n;
