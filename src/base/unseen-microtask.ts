const { apply } = Reflect;
const { then } = Promise.prototype;

const ignore = (): void => {};
const nothing = Object.freeze({});

/** What then() makes in place of a promise: nobody waits for it. */
function Unseen(executor: (resolve: () => void, reject: () => void) => void): object {
  executor(ignore, ignore);
  return nothing;
}

/**
 * A function that puts `work` into the microtask queue at each call. No hook sees it: then() makes the object that its
 * promise's species says, and where that is no promise there is nothing that async_hooks and v8.promiseHooks could tell of;
 * queueMicrotask() makes an AsyncResource. `work` must not throw. Throws where the stack is full.
 */
export function unseenMicrotask(work: () => void): () => void {
  const settled = Promise.resolve();
  // In a prototype of its own: with a property `constructor` on any promise V8 gives up what makes then() fast for all of them.
  const species = Object.freeze({ __proto__: null, [Symbol.species]: Unseen });
  Object.setPrototypeOf(settled, Object.freeze({ __proto__: null, constructor: species }));
  const reaction = [work];
  return () => {
    apply(then, settled, reaction);
  };
}
