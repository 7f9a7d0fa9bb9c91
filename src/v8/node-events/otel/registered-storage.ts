import { AsyncLocalStorage } from 'node:async_hooks';
import { types } from 'node:util';
import {
  defineProperty,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  isExtensible,
  nativeOwnKeys,
} from '../../realm/primordials.js';
import type { Undo } from '../../realm/undo.js';
import { ownValue } from '../boundary/values.js';

/** Where @opentelemetry/api 1.x keeps what an SDK has registered, for all its copies in a program. */
const API_KEY = Symbol.for('opentelemetry.js.api.1');
const CONTEXT_MANAGER = 'context';

const { isProxy } = types;
const { prototype } = AsyncLocalStorage;
/** Classes between an object and AsyncLocalStorage at most. */
const MOST_CLASSES = 8;

function isStorage(value: unknown): value is AsyncLocalStorage<unknown> {
  let object: unknown = value;
  for (let i = 0; i < MOST_CLASSES; i++) {
    if (typeof object !== 'object' || object === null || isProxy(object)) return false;
    object = getPrototypeOf(object);
    if (object === prototype) return true;
  }
  return false;
}

/** The storage that a context manager keeps its contexts in; undefined if it has none among its own data. */
function storageIn(manager: unknown): AsyncLocalStorage<unknown> | undefined {
  if (typeof manager !== 'object' || manager === null || isProxy(manager)) return undefined;
  const keys = nativeOwnKeys(manager);
  for (let i = 0; i < keys.length; i++) {
    const value = ownValue(manager, keys[i]!);
    if (isStorage(value)) return value;
  }
  return undefined;
}

/**
 * Is told when a property that an object lacks is set. Until then the object seems to lack it; from then on it is an ordinary
 * one.
 */
function whenSet(holder: object, key: PropertyKey, told: (value: unknown) => void): Undo {
  if (!isExtensible(holder) || getOwnPropertyDescriptor(holder, key) !== undefined) return () => {};
  const setter = {
    set(value: unknown): void {
      Reflect.deleteProperty(holder, key);
      defineProperty(holder, key, { value, writable: true, enumerable: true, configurable: true });
      told(value);
    },
  }.set;
  defineProperty(holder, key, { get: () => undefined, set: setter, enumerable: false, configurable: true });
  return () => {
    if (getOwnPropertyDescriptor(holder, key)?.set === setter) Reflect.deleteProperty(holder, key);
  };
}

/**
 * The storage of contexts of the SDK that is registered on this thread: one that is there already, or comes later, or in the
 * place of another one.
 */
export class RegisteredStorage {
  readonly #changed: (storage: AsyncLocalStorage<unknown> | undefined) => void;
  #api: unknown;
  #manager: unknown;
  #undo: Undo = () => {};

  /** @param changed is told of the first one, and of each change */
  constructor(changed: (storage: AsyncLocalStorage<unknown> | undefined) => void) {
    this.#changed = changed;
    this.#wait(globalThis, API_KEY);
    this.look();
  }

  /** Looks whether another one is registered now: one that was removed is not told otherwise. */
  look(): void {
    const api = ownValue(globalThis, API_KEY);
    const manager = ownValue(api, CONTEXT_MANAGER);
    if (api === this.#api && manager === this.#manager) return;
    this.#api = api;
    this.#manager = manager;
    if (typeof api !== 'object' || api === null || isProxy(api)) this.#wait(globalThis, API_KEY);
    else this.#wait(api, CONTEXT_MANAGER);
    this.#changed(storageIn(manager));
  }

  stop(): void {
    this.#undo();
  }

  #wait(holder: object, key: PropertyKey): void {
    this.#undo();
    this.#undo = whenSet(holder, key, () => this.look());
  }
}
