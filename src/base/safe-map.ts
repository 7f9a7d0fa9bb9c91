const { defineProperty, getOwnPropertyDescriptor, setPrototypeOf } = Object;
const { ownKeys } = Reflect;

/** Copies the methods of a class onto a subclass and cuts it off, so that patching the class does not reach it. */
const isolate = <C extends new (...args: never[]) => object>(base: C, safe: C): C => {
  for (const key of ownKeys(base.prototype)) {
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
