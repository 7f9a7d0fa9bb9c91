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

/** Copies the methods of a class onto a subclass and cuts it off, so that patching the class does not reach it. */
const isolate = <C extends new (...args: never[]) => object>(base: C, safe: C): C => {
  for (const key of nativeOwnKeys(base.prototype)) {
    const descriptor = getOwnPropertyDescriptor(base.prototype, key);
    if (descriptor && key !== 'constructor') defineProperty(safe.prototype, key, descriptor);
  }
  setPrototypeOf(safe.prototype, null);
  return safe;
};

/** A Map that the program's changes to `Map.prototype` do not reach. */
export const SafeMap = isolate(Map, class SafeMap<K, V> extends Map<K, V> {}) as MapConstructor;
/** A WeakMap that the program's changes to `WeakMap.prototype` do not reach. */
export const SafeWeakMap = isolate(
  WeakMap,
  class SafeWeakMap<K extends object, V> extends WeakMap<K, V> {},
) as WeakMapConstructor;

export const SafeWeakRef = WeakRef;
export const deref = uncurry(WeakRef.prototype.deref) as <T extends WeakKey>(ref: WeakRef<T>) => T | undefined;
