import {
  defineProperty,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  isExtensible,
  SafeWeakMap,
  setPrototypeOf,
} from './primordials.js';
import type { Undo } from './undo.js';

type AnyFunction = (this: never, ...args: never[]) => unknown;

/** The built-in that each of fentry's stand-ins stands for. */
export type StandIns = WeakMap<object, AnyFunction>;

let originals: StandIns = new SafeWeakMap<object, AnyFunction>();

/** The stand-ins of this bundle. */
export const standIns = (): StandIns => originals;

/** Takes another bundle's instead, whose `Function.prototype.toString` looks there; before the first stand-in is made. */
export const shareStandIns = (shared: StandIns): void => {
  originals = shared;
};

/** The built-in that a function stands in for, if it is one of fentry's stand-ins. */
export const originalOf = (fn: object): AnyFunction | undefined => originals.get(fn);

function copyProperty(from: object, to: object, key: string): void {
  const descriptor = getOwnPropertyDescriptor(from, key);
  if (descriptor) defineProperty(to, key, descriptor);
}

/** Gives a stand-in the name and length of the built-in, and makes `Function.prototype.toString` show the built-in's text. */
export const lookLike = <F extends AnyFunction>(standIn: F, original: AnyFunction): F => {
  copyProperty(original, standIn, 'length');
  copyProperty(original, standIn, 'name');
  const prototype = getPrototypeOf(original);
  if (getPrototypeOf(standIn) !== prototype) setPrototypeOf(standIn, prototype);
  // One may stand in for another.
  originals.set(standIn, originals.get(original) ?? original);
  return standIn;
};

/**
 * Replaces a built-in method by a stand-in that differs only in speed: `make` receives the built-in and returns the stand-in,
 * which for a built-in must be written as a method or arrow so that it has no `prototype` and is no constructor. Does nothing
 * if the property is missing or cannot be written. When undone, a stand-in that the program has wrapped stays.
 */
export const replaceMethod = <F extends AnyFunction>(holder: object, key: PropertyKey, make: (original: F) => F): Undo => {
  const descriptor = getOwnPropertyDescriptor(holder, key);
  if (descriptor === undefined || typeof descriptor.value !== 'function' || !descriptor.configurable) return () => {};
  const original = descriptor.value as F;
  const standIn = lookLike(make(original), original);
  defineProperty(holder, key, { ...descriptor, value: standIn });
  return () => {
    if (getOwnPropertyDescriptor(holder, key)?.value === standIn) defineProperty(holder, key, descriptor);
  };
};

/** Replaces the getter of a property by a lookalike. */
export const replaceGetter = (holder: object, key: PropertyKey, make: (original: () => unknown) => () => unknown): Undo => {
  const descriptor = getOwnPropertyDescriptor(holder, key);
  const original = descriptor?.get;
  if (original === undefined || !descriptor?.configurable) return () => {};
  const standIn = lookLike(make(original), original);
  defineProperty(holder, key, { ...descriptor, get: standIn });
  return () => {
    if (getOwnPropertyDescriptor(holder, key)?.get === standIn) defineProperty(holder, key, descriptor);
  };
};

/** Puts a stand-in for an inherited method onto the object that inherits it; replaces the method if it is the object's own. */
export const coverMethod = <F extends AnyFunction>(holder: object, key: PropertyKey, make: (original: F) => F): Undo => {
  if (getOwnPropertyDescriptor(holder, key) !== undefined) return replaceMethod(holder, key, make);
  const original = (holder as Record<PropertyKey, unknown>)[key];
  if (typeof original !== 'function' || !isExtensible(holder)) return () => {};
  const value = lookLike(make(original as F), original as F);
  defineProperty(holder, key, { value, writable: true, configurable: true, enumerable: false });
  return () => {
    if (getOwnPropertyDescriptor(holder, key)?.value === value) Reflect.deleteProperty(holder, key);
  };
};
