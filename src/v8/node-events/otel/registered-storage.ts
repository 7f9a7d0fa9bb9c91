import { AsyncLocalStorage } from 'node:async_hooks';
import { types } from 'node:util';
import { getPrototypeOf, nativeOwnKeys } from '../../realm/primordials.js';
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
 * The storage of contexts of the SDK that is registered on this thread: one that is there already, or comes later, or in the
 * place of another one. It looks and does not wait: an accessor in the place of the property could be seen by the program.
 */
export class RegisteredStorage {
  readonly #changed: (storage: AsyncLocalStorage<unknown> | undefined) => void;
  #manager: unknown;

  /** @param changed is told of the first one, and of each change */
  constructor(changed: (storage: AsyncLocalStorage<unknown> | undefined) => void) {
    this.#changed = changed;
    this.look();
  }

  /** Looks whether another one is registered now. */
  look(): void {
    const manager = ownValue(ownValue(globalThis, API_KEY), CONTEXT_MANAGER);
    if (manager === this.#manager) return;
    this.#manager = manager;
    this.#changed(storageIn(manager));
  }
}
