/**
 * The built-ins as they were when fentry was loaded, with the names that Node has for its own copies: for code that runs in the
 * threads of a program, which may replace them. What is loaded later takes them from here too.
 */
import { types } from 'node:util';
import vm from 'node:vm';

const { bind, call } = Function.prototype;
/** A method as a function whose first argument is the receiver. */
export const uncurryThis = bind.bind(call) as <T, A extends unknown[], R>(
  method: (this: T, ...args: A) => R,
) => (self: T, ...args: A) => R;

export const { isArray: ArrayIsArray } = Array;
export const {
  add: AtomicsAdd,
  and: AtomicsAnd,
  compareExchange: AtomicsCompareExchange,
  exchange: AtomicsExchange,
  load: AtomicsLoad,
  notify: AtomicsNotify,
  or: AtomicsOr,
  store: AtomicsStore,
  wait: AtomicsWait,
} = Atomics;
export const { asIntN: BigIntAsIntN, asUintN: BigIntAsUintN } = BigInt;
export const { now: DateNow } = Date;
export const { getTime: DatePrototypeGetTime, toISOString: DatePrototypeToISOString } = Date.prototype;
export const { register: FinalizationRegistryPrototypeRegister } = FinalizationRegistry.prototype;
export const { call: FunctionPrototypeCall } = Function.prototype;
export const { clz32: MathClz32, floor: MathFloor, imul: MathImul, random: MathRandom, trunc: MathTrunc } = Math;
export const { isFinite: NumberIsFinite, isInteger: NumberIsInteger, isSafeInteger: NumberIsSafeInteger } = Number;
export const {
  getOwnPropertyDescriptor: ObjectGetOwnPropertyDescriptor,
  getPrototypeOf: ObjectGetPrototypeOf,
  keys: ObjectKeys,
  setPrototypeOf: ObjectSetPrototypeOf,
} = Object;
export const { prototype: PromisePrototype } = Promise;
export const { apply: ReflectApply, deleteProperty: ReflectDeleteProperty } = Reflect;
export const { has: SetPrototypeHas } = Set.prototype;
export const { fromCharCode: StringFromCharCode, fromCodePoint: StringFromCodePoint } = String;
export const { get: WeakMapPrototypeGet, set: WeakMapPrototypeSet } = WeakMap.prototype;
export const {
  ArrayBuffer: ArrayBuffer_,
  BigInt: BigInt_,
  BigInt64Array: BigInt64Array_,
  Date: Date_,
  Float64Array: Float64Array_,
  Int32Array: Int32Array_,
  Number: Number_,
  Uint8Array: Uint8Array_,
  clearTimeout: clearTimeout_,
  setImmediate: setImmediate_,
  setInterval: setInterval_,
  setTimeout: setTimeout_,
} = globalThis;
/** The constructor of WebAssembly's instances, if V8 has it. */
export const WebAssemblyInstance = (globalThis as { WebAssembly?: { Instance?: unknown } }).WebAssembly?.Instance;
export const { dlopen: processDlopen, nextTick: processNextTick } = process;
export const {
  isAnyArrayBuffer: typesIsAnyArrayBuffer,
  isDataView: typesIsDataView,
  isPromise: typesIsPromise,
  isProxy: typesIsProxy,
  isTypedArray: typesIsTypedArray,
  isArrayBuffer: typesIsArrayBuffer,
  isDate: typesIsDate,
  isMap: typesIsMap,
  isNativeError: typesIsNativeError,
  isRegExp: typesIsRegExp,
  isSet: typesIsSet,
  isWeakMap: typesIsWeakMap,
  isWeakSet: typesIsWeakSet,
} = types;

export const BigIntPrototypeToString = uncurryThis(BigInt.prototype.toString);
export const FunctionPrototypeToString = uncurryThis(Function.prototype.toString);
export const NumberPrototypeToFixed = uncurryThis(Number.prototype.toFixed);
export const NumberPrototypeToString = uncurryThis(Number.prototype.toString);
export const PromisePrototypeThen = uncurryThis(Promise.prototype.then);
export const RegExpPrototypeExec = uncurryThis(RegExp.prototype.exec);
export const StringPrototypeIncludes = uncurryThis(String.prototype.includes);
export const StringPrototypeIndexOf = uncurryThis(String.prototype.indexOf);
export const StringPrototypePadEnd = uncurryThis(String.prototype.padEnd);
export const StringPrototypePadStart = uncurryThis(String.prototype.padStart);
export const StringPrototypeToUpperCase = uncurryThis(String.prototype.toUpperCase);

/** The getter of a property of all objects with this prototype. */
const getterOf = (prototype: object, name: string | symbol): (() => unknown) =>
  Object.getOwnPropertyDescriptor(prototype, name)!.get!;

const TypedArrayPrototype = Object.getPrototypeOf(Uint8Array.prototype) as object;
export const TypedArrayPrototypeGetBuffer = getterOf(TypedArrayPrototype, 'buffer');
export const TypedArrayPrototypeGetByteLength = getterOf(TypedArrayPrototype, 'byteLength');
export const TypedArrayPrototypeGetByteOffset = getterOf(TypedArrayPrototype, 'byteOffset');
export const TypedArrayPrototypeGetLength = getterOf(TypedArrayPrototype, 'length');
export const TypedArrayPrototypeGetName = getterOf(TypedArrayPrototype, Symbol.toStringTag);
export const DataViewPrototypeGetBuffer = getterOf(DataView.prototype, 'buffer');
export const DataViewPrototypeGetByteLength = getterOf(DataView.prototype, 'byteLength');
export const DataViewPrototypeGetByteOffset = getterOf(DataView.prototype, 'byteOffset');
export const MapPrototypeGetSize = getterOf(Map.prototype, 'size');
export const RegExpPrototypeGetSource = getterOf(RegExp.prototype, 'source');
export const SetPrototypeGetSize = getterOf(Set.prototype, 'size');
export const SymbolPrototypeGetDescription = getterOf(Symbol.prototype, 'description');

/** fentry replaces it itself. */
export const { compileFunction: vmCompileFunction } = vm;
export const { setFloat64: DataViewPrototypeSetFloat64, setInt32: DataViewPrototypeSetInt32 } = DataView.prototype;
export const { add: WeakSetPrototypeAdd, has: WeakSetPrototypeHas } = WeakSet.prototype;

/** Node's own, of what is in UTF-8; taken instead of a TextDecoder, which is a lazy accessor in Node 20 that must stay one. */
export const {
  latin1Slice: BufferPrototypeLatin1Slice,
  ucs2Slice: BufferPrototypeUcs2Slice,
  utf8Slice: BufferPrototypeUtf8Slice,
} = Buffer.prototype as Buffer & {
  latin1Slice(this: Uint8Array, start: number, end: number): string;
  ucs2Slice(this: Uint8Array, start: number, end: number): string;
  utf8Slice(this: Uint8Array, start: number, end: number): string;
};

/** Strings' methods. */
export const StringPrototypeCharCodeAt: (text: string, index: number) => number = call.bind(String.prototype.charCodeAt);
export const StringPrototypeEndsWith: (text: string, part: string) => boolean = call.bind(String.prototype.endsWith);
export const StringPrototypeSlice: (text: string, start: number, end: number) => string = call.bind(String.prototype.slice);
export const StringPrototypeStartsWith: (text: string, part: string) => boolean = call.bind(String.prototype.startsWith);
