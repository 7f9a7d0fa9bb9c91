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

// The constructors are written out: those that V8 makes for Node 20 go through an array of their arguments by its iterator.

/** A Map that the program's changes to `Map.prototype` do not reach. */
export const SafeMap = isolate(
  Map,
  class SafeMap<K, V> extends Map<K, V> {
    constructor(entries?: Iterable<readonly [K, V]> | null) {
      super(entries);
    }
  },
) as MapConstructor;
/** A Set that the program's changes to `Set.prototype` do not reach. */
export const SafeSet = isolate(
  Set,
  class SafeSet<T> extends Set<T> {
    constructor(values?: Iterable<T> | null) {
      super(values);
    }
  },
) as SetConstructor;
/** A WeakMap that the program's changes to `WeakMap.prototype` do not reach. */
export const SafeWeakMap = isolate(
  WeakMap,
  class SafeWeakMap<K extends object, V> extends WeakMap<K, V> {
    constructor(entries?: readonly (readonly [K, V])[] | null) {
      super(entries);
    }
  },
) as WeakMapConstructor;
