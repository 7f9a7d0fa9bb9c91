import {
  PromisePrototype as prototype,
  ObjectSetPrototypeOf as setPrototypeOf,
  PromisePrototypeThen as then,
} from './primordials.js';

const ignore = (): void => {};
const nothing = Object.freeze({});

/** What then() creates instead of a promise: nothing waits for it. */
function Unseen(executor: (resolve: () => void, reject: () => void) => void): object {
  executor(ignore, ignore);
  return nothing;
}

// On a separate prototype: with a property `constructor` on any promise, V8 gives up the optimization that makes then() fast
// for all promises.
const species = Object.freeze({ __proto__: null, [Symbol.species]: Unseen });
const unseenPrototype = Object.freeze({ __proto__: null, constructor: species });

/**
 * then() of a promise of Node's, without the promise that it returns: no hook sees a new one, and a rejection without another
 * handler counts as handled. Neither function may throw.
 */
export function unseenThen<T>(promise: Promise<T>, fulfilled: (value: T) => void, rejected: (error: unknown) => void): void {
  setPrototypeOf(promise, unseenPrototype);
  try {
    then(promise, fulfilled, rejected);
  } finally {
    setPrototypeOf(promise, prototype);
  }
}

/**
 * A function that puts `work` into the microtask queue at each call. No hook sees it: then() creates the object of its
 * promise's species, and if that is not a promise, async_hooks and v8.promiseHooks have nothing to report; queueMicrotask()
 * would create an AsyncResource. `work` must not throw. Throws if the stack is full.
 */
export function unseenMicrotask(work: () => void): () => void {
  const settled = Promise.resolve();
  setPrototypeOf(settled, unseenPrototype);
  return () => {
    then(settled, work);
  };
}
