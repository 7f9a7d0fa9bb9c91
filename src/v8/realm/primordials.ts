/**
 * The built-ins that fentry uses while the program runs, saved before the program can replace them. A method becomes a function
 * whose first argument is the receiver.
 */
const { bind, call } = Function.prototype;
export const uncurry = bind.bind(call) as <T, A extends unknown[], R>(
  method: (this: T, ...args: A) => R,
) => (self: T, ...args: A) => R;

export const { apply: reflectApply, construct } = Reflect;

export const { create, defineProperty, getOwnPropertyDescriptor, getPrototypeOf, setPrototypeOf, isExtensible } = Object;
export const nativeOwnKeys = Reflect.ownKeys;

export const { captureStackTrace } = Error;

export const indexOf = uncurry(String.prototype.indexOf);
export const lastIndexOf = uncurry(String.prototype.lastIndexOf);
export const slice = uncurry(String.prototype.slice);
export const startsWith = uncurry(String.prototype.startsWith);
export const endsWith = uncurry(String.prototype.endsWith);
export const includes = uncurry(String.prototype.includes);
export const charCodeAt = uncurry(String.prototype.charCodeAt);

export { SafeMap, SafeWeakMap } from '../../base/safe-map.js';

export const SafeWeakRef = WeakRef;
export const deref = uncurry(WeakRef.prototype.deref) as <T extends WeakKey>(ref: WeakRef<T>) => T | undefined;
