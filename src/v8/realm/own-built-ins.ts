import vm from 'node:vm';
import {
  BigInt_,
  Date_,
  FunctionPrototypeToString,
  Int32Array_,
  Number_,
  PromisePrototypeThen,
  ReflectDeleteProperty,
} from '../../base/primordials.js';
import {
  defineProperty,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  indexOf,
  reflectApply,
  setPrototypeOf,
  slice,
} from './primordials.js';

const { createContext, Script } = vm;
const { runInContext } = Script.prototype;

/**
 * Properties of an object by their names: `+` is a getter, `@` the symbol of that name, and behind `:` is what V8 calls the
 * function, if that differs.
 */
type Names = string;

/** An object with built-ins that code of fentry calls: what gives it in another context, the object, and the names of these. */
type Holder = readonly [text: string, holder: () => object | undefined, names: Names];

const TYPED_ARRAY = 'Object.getPrototypeOf(Int32Array)';
const typedArray = (): { readonly prototype: object } => getPrototypeOf(Int32Array_) as never;

/** What iterators of V8 inherit from. Taken before the program runs: later it may have replaced what makes them. */
const ITERATORS = {
  ofArrays: getPrototypeOf([].values()) as object,
  ofMaps: getPrototypeOf(new Map().values()) as object,
  ofSets: getPrototypeOf(new Set().values()) as object,
  ofTexts: getPrototypeOf(''[Symbol.iterator]()) as object,
};
/** What all of them inherit from. */
const ITERATOR = getPrototypeOf(ITERATORS.ofArrays) as object;

/** Only those that code calls which does not run at sites: that takes its own from primordials.ts. */
const holders = (): readonly Holder[] => [
  [
    'Array.prototype',
    () => Array.prototype,
    '@iterator:values at concat entries every filter find findIndex flat flatMap forEach includes indexOf join keys lastIndexOf map pop ' +
      'push reduce reverse shift slice some sort splice toSorted toSpliced unshift values',
  ],
  ['Array', () => Array, '+@species from isArray of'],
  ['Object.getPrototypeOf([].values())', () => ITERATORS.ofArrays, 'next'],
  ['Object.getPrototypeOf(Object.getPrototypeOf([].values()))', () => ITERATOR, '@iterator'],
  ['Map.prototype', () => Map.prototype, '@iterator:entries clear delete entries forEach get has keys set +size values'],
  ['Object.getPrototypeOf(new Map().values())', () => ITERATORS.ofMaps, 'next'],
  ['Set.prototype', () => Set.prototype, '@iterator:values add clear delete forEach has +size values'],
  ['Object.getPrototypeOf(new Set().values())', () => ITERATORS.ofSets, 'next'],
  ['WeakMap.prototype', () => WeakMap.prototype, 'delete get has set'],
  ['WeakRef.prototype', () => WeakRef.prototype, 'deref'],
  [
    'String.prototype',
    () => String.prototype,
    '@iterator charCodeAt endsWith includes indexOf lastIndexOf match matchAll padEnd padStart repeat replace replaceAll slice split ' +
      'startsWith toLowerCase toString toUpperCase trim trimEnd',
  ],
  ["Object.getPrototypeOf(''[Symbol.iterator]())", () => ITERATORS.ofTexts, 'next'],
  [
    'RegExp.prototype',
    () => RegExp.prototype,
    '@match @matchAll @replace @search @split exec +dotAll +flags +global +hasIndices +ignoreCase +multiline +sticky test ' +
      '+unicode +unicodeSets',
  ],
  ['RegExp', () => RegExp, '+@species'],
  ['Function.prototype', () => Function.prototype, 'apply bind call'],
  [
    'Object',
    () => Object,
    'assign create defineProperties defineProperty entries freeze fromEntries getOwnPropertyDescriptor getOwnPropertyDescriptors ' +
      'getOwnPropertyNames getOwnPropertySymbols getPrototypeOf hasOwn isExtensible keys setPrototypeOf values',
  ],
  ['Reflect', () => Reflect, 'apply construct deleteProperty get getOwnPropertyDescriptor has ownKeys set'],
  ['Promise', () => Promise, '+@species reject resolve'],
  ['Promise.prototype', () => Promise.prototype, 'catch then'],
  ['Math', () => globalThis.Math, 'abs ceil clz32 floor imul log2 max min random round trunc'],
  ['Atomics', () => Atomics, 'add and compareExchange exchange load notify or store sub wait waitAsync'],
  ['JSON', () => JSON, 'parse stringify'],
  ['Number', () => Number_, 'isInteger isNaN isSafeInteger parseInt'],
  ['Number.prototype', () => Number_.prototype, 'toFixed toString'],
  ['BigInt', () => BigInt_, 'asIntN asUintN'],
  ['BigInt.prototype', () => BigInt_.prototype, 'toString'],
  ['Date', () => Date_, 'now'],
  ['Symbol', () => Symbol, 'for'],
  ['Symbol.prototype', () => Symbol.prototype, '+description'],
  ['ArrayBuffer.prototype', () => ArrayBuffer.prototype, '+byteLength slice'],
  ['SharedArrayBuffer.prototype', () => SharedArrayBuffer.prototype, '+byteLength slice'],
  ['DataView.prototype', () => DataView.prototype, 'getUint32 setBigUint64 setInt32 setUint16 setUint32 setUint8'],
  [TYPED_ARRAY, typedArray, 'from of'],
  [
    `${TYPED_ARRAY}.prototype`,
    () => typedArray().prototype,
    '@iterator:values at +buffer +byteLength +byteOffset fill forEach indexOf join +length set slice subarray',
  ],
];

interface BuiltIn {
  readonly holder: object;
  /** The number of the object among holders. */
  readonly of: number;
  readonly key: string | symbol;
  readonly isGetter: boolean;
  readonly text: string;
  /** The function, once it was seen. */
  known: unknown;
}

const textOf = (name: string): string => `function ${name}() { [native code] }`;

let used: BuiltIn[] | undefined;

function builtIn(holder: object, of: number, word: string): BuiltIn {
  const isGetter = word[0] === '+';
  const isSymbol = word[isGetter ? 1 : 0] === '@';
  const colon = indexOf(word, ':');
  const from = (isGetter ? 1 : 0) + (isSymbol ? 1 : 0);
  const property = slice(word, from, colon < 0 ? undefined : colon);
  const name = colon >= 0 ? slice(word, colon + 1) : isSymbol ? `[Symbol.${property}]` : property;
  const key = isSymbol ? (getOwnPropertyDescriptor(Symbol, property)!.value as symbol) : property;
  return { holder, of, key, isGetter, text: textOf(isGetter ? `get ${name}` : name), known: undefined };
}

function listUsed(): BuiltIn[] {
  const all: BuiltIn[] = [];
  const given = holders();
  for (let of = 0; of < given.length; of++) {
    const holder = given[of]![1]();
    let left: string = given[of]![2];
    while (holder !== undefined && left !== '') {
      const space = indexOf(left, ' ');
      const word = space < 0 ? left : slice(left, 0, space);
      left = space < 0 ? '' : slice(left, space + 1);
      all[all.length] = builtIn(holder, of, word);
    }
  }
  return all;
}

/** Objects of another context, by the numbers of holders. */
let others: readonly object[] | undefined;

function otherHolders(): readonly object[] {
  const given = holders();
  let text = '';
  for (let i = 0; i < given.length; i++) text += `${given[i]![0]},`;
  const context = createContext({ __proto__: null });
  return reflectApply(runInContext, new Script(`[${text}]`), [context]) as readonly object[];
}

/** The function of a built-in: `undefined` where the program has put something else. */
function ownFunction(one: BuiltIn, descriptor: PropertyDescriptor | undefined): unknown {
  const value = descriptor && (one.isGetter ? descriptor.get : descriptor.value);
  if (value !== undefined && value === one.known) return value;
  if (typeof value !== 'function' || FunctionPrototypeToString(value as never) !== one.text) return undefined;
  one.known = value;
  return value;
}

interface Replaced {
  readonly one: BuiltIn;
  /** What the program has put there; undefined: it has deleted it. */
  readonly descriptor: PropertyDescriptor | undefined;
}

function put({ one, descriptor }: Replaced): void {
  others ??= otherHolders();
  const own = getOwnPropertyDescriptor(others[one.of]!, one.key)!;
  setPrototypeOf(own, null);
  if (descriptor?.configurable === false) defineProperty(one.holder, one.key, { __proto__: null, value: own.value } as never);
  else defineProperty(one.holder, one.key, own);
}

function putBack({ one, descriptor }: Replaced): void {
  if (descriptor === undefined) ReflectDeleteProperty(one.holder, one.key);
  else defineProperty(one.holder, one.key, descriptor);
}

function attempt(step: (one: Replaced) => void, one: Replaced): void {
  try {
    step(one);
  } catch {
    // The program has frozen it.
  }
}

/** Whether all of them are V8's own, because fentry works. */
let isOwn = false;

/** What V8's own stand in the place of, while they do. */
let current: readonly Replaced[] | undefined;

// The control thread may interrupt in the midst of either function: what it asks for then must not take all of them for V8's own.

function putAll(replaced: readonly Replaced[]): void {
  for (let i = 0; i < replaced.length; i++) attempt(put, replaced[i]!);
  current = replaced;
  isOwn = true;
}

function putAllBack(replaced: readonly Replaced[]): void {
  isOwn = false;
  current = undefined;
  for (let i = 0; i < replaced.length; i++) attempt(putBack, replaced[i]!);
}

/**
 * Runs code of fentry that calls built-ins which the program may have replaced. Those are V8's own meanwhile, and afterwards
 * what the program has put there. Nothing of the program may run in it. For work that is asked of a thread, and for its end; what
 * runs at sites takes built-ins from primordials.ts.
 *
 * The functions are those of another context, which is made for the first program that has replaced one: a start need not keep
 * all of them.
 */
export function withOwnBuiltIns<T>(run: () => T): T {
  if (isOwn) return run();
  used ??= listUsed();
  let replaced: Replaced[] | undefined;
  for (let i = 0; i < used.length; i++) {
    const one = used[i]!;
    const descriptor = getOwnPropertyDescriptor(one.holder, one.key);
    if (ownFunction(one, descriptor) !== undefined) continue;
    if (descriptor !== undefined) setPrototypeOf(descriptor, null);
    replaced ??= [];
    replaced[replaced.length] = { one, descriptor };
  }
  if (replaced === undefined) return run();
  putAll(replaced);
  try {
    return run();
  } finally {
    putAllBack(replaced);
  }
}

/** Runs something as the next microtask, which has to be of V8's own promises. */
const inMicrotask = (run: () => void): void => void PromisePrototypeThen((async () => {})(), run);

/**
 * Runs code of fentry as withOwnBuiltIns does, after which Node runs code of its own as the next microtask: then, too, the
 * built-ins are V8's own. Nothing of the program runs between microtasks that are put into the queue at once.
 */
export function withOwnBuiltInsNext(run: () => void): void {
  withOwnBuiltIns(() => {
    const replaced = current;
    if (replaced === undefined) return run();
    inMicrotask(() => putAll(replaced));
    run();
    inMicrotask(() => putAllBack(replaced));
  });
}

/**
 * Runs code of fentry, and once more as `withOwnBuiltIns` does if that fails: for what nearly always succeeds, and is done too
 * often to look at all built-ins first.
 */
export function orWithOwnBuiltIns<T>(run: () => T): T {
  try {
    return run();
  } catch {
    return withOwnBuiltIns(run);
  }
}
