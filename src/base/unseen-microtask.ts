const { apply } = Reflect;
const { then } = Promise.prototype;

const ignore = (): void => {};
const nothing = Object.freeze({});

/** What then() creates instead of a promise: nothing waits for it. */
function Unseen(executor: (resolve: () => void, reject: () => void) => void): object {
  executor(ignore, ignore);
  return nothing;
}

/**
 * A function that puts `work` into the microtask queue at each call. No hook sees it: then() creates the object of its
 * promise's species, and if that is not a promise, async_hooks and v8.promiseHooks have nothing to report; queueMicrotask()
 * would create an AsyncResource. `work` must not throw. Throws if the stack is full.
 */
export function unseenMicrotask(work: () => void): () => void {
  const settled = Promise.resolve();
  // On a separate prototype: with a property `constructor` on any promise, V8 gives up the optimization that makes then() fast
  // for all promises.
  const species = Object.freeze({ __proto__: null, [Symbol.species]: Unseen });
  Object.setPrototypeOf(settled, Object.freeze({ __proto__: null, constructor: species }));
  const reaction = [work];
  return () => {
    apply(then, settled, reaction);
  };
}
